/** Of alerts that ask how far the data of core and metrics has come. */
import type { AlertCases } from './alert-case.ts'

const CORE = 'job="core", instance="core:3102"'
const OTHER_CORE = 'job="core", instance="core-2:3102"'
const METRICS = 'job="metrics", instance="metrics:3103"'
const OTHER_METRICS = 'job="metrics", instance="metrics-2:3103"'
const FAILURES = `merx_core_webhook_failures{${CORE}, webhook="xYzabcdefg", receiver="shop.test"}`

export const casesOfData: Readonly<Record<string, AlertCases>> = {
  BitmapIndexBehind: {
    fires: [
      {
        series: { [`merx_core_kept_changes{${CORE}}`]: '150000x80' },
        afterMinutes: 12,
        labels: { job: 'core', instance: 'core:3102' },
        summary: '150000 changes wait to be merged into the bitmap index; lists get slower.',
      },
    ],
    quiet: [
      {
        because: 'an import is taken in within ten minutes',
        series: { [`merx_core_kept_changes{${CORE}}`]: '150000-5000x30 0x40' },
        afterMinutes: 15,
      },
    ],
  },
  MetricsStoreLate: {
    fires: [
      {
        series: {
          [`merx_metrics_feed_lag_seconds{${METRICS}}`]: '0+15x40',
          [`merx_metrics_feed_lag_seconds{${OTHER_METRICS}}`]: '0x40',
        },
        afterMinutes: 5,
        labels: {},
        summary: 'Numbers of metrics are 300 s old.',
      },
    ],
    quiet: [
      {
        because: 'it is half a minute',
        series: { [`merx_metrics_feed_lag_seconds{${METRICS}}`]: '30x40' },
        afterMinutes: 10,
      },
      {
        because: 'it caught up within two minutes',
        series: { [`merx_metrics_feed_lag_seconds{${METRICS}}`]: '0x8 40x6 0x30' },
        afterMinutes: 5,
      },
    ],
  },
  NobodyFillsTheStore: {
    fires: [
      {
        series: {
          [`merx_metrics_is_filling{${METRICS}}`]: '1x4 0x40',
          [`merx_metrics_is_filling{${OTHER_METRICS}}`]: '0x44',
        },
        afterMinutes: 5,
        labels: {},
        summary: 'No process of metrics reads the order feed.',
      },
      {
        series: { [`up{${METRICS}}`]: '0x44' },
        afterMinutes: 5,
        labels: {},
        summary: 'No process of metrics reads the order feed.',
      },
    ],
    quiet: [
      {
        because: 'another has taken over',
        series: {
          [`merx_metrics_is_filling{${METRICS}}`]: '1x4 0x40',
          [`merx_metrics_is_filling{${OTHER_METRICS}}`]: '0x5 1x39',
        },
        afterMinutes: 10,
      },
    ],
  },
  DocumentsInQuarantine: {
    fires: [
      {
        series: {
          [`merx_metrics_quarantined_documents{${METRICS}}`]: '2x40',
          [`merx_metrics_quarantined_documents{${OTHER_METRICS}}`]: '2x40',
        },
        afterMinutes: 6,
        labels: {},
        summary: '2 orders are missing from metrics in their newest state.',
      },
    ],
    quiet: [
      {
        because: 'it was taken in after all',
        series: { [`merx_metrics_quarantined_documents{${METRICS}}`]: '0x4 1x10 0x30' },
        afterMinutes: 7,
      },
    ],
  },
  WebhooksLate: {
    fires: [
      {
        series: { [`merx_core_webhook_oldest_due_seconds{${CORE}}`]: '90x80' },
        afterMinutes: 3,
        labels: {},
        summary: 'The oldest delivery of a webhook has been due for 90 s.',
      },
    ],
    quiet: [
      {
        because: 'a burst was delivered within a minute',
        series: { [`merx_core_webhook_oldest_due_seconds{${CORE}}`]: '50x4 0x76' },
        afterMinutes: 30,
      },
    ],
  },
  PaymentsGivenUp: {
    fires: [
      {
        series: { [`merx_core_payments_given_up_total{${CORE}, reason="not_given_back"}`]: '0x40 1x200' },
        afterMinutes: 30,
        labels: { reason: 'not_given_back' },
        summary: 'Payments of the last day that a person must see to (not_given_back): 1.',
      },
    ],
    quiet: [
      {
        because: 'nothing was given up since the process began',
        series: { [`merx_core_payments_given_up_total{${CORE}, reason="unknown"}`]: '0x80' },
        afterMinutes: 15,
      },
    ],
  },
  WebhookFailing: {
    fires: [
      {
        series: { [FAILURES]: '5x80' },
        afterMinutes: 2,
        labels: { webhook: 'xYzabcdefg', receiver: 'shop.test' },
        summary:
          'The webhook xYzabcdefg to shop.test failed 5 times in a row; after 30 it is not called any more.',
      },
    ],
    quiet: [
      { because: 'it failed four times', series: { [FAILURES]: '4x80' }, afterMinutes: 30 },
      { because: 'its receiver was restarted', series: { [FAILURES]: '0x4 12x3 0x73' }, afterMinutes: 3 },
      { because: 'its circuit is open', series: { [FAILURES]: '30x80' }, afterMinutes: 30 },
    ],
  },
  WebhookCircuitOpen: {
    fires: [
      {
        series: { [FAILURES]: '30x80' },
        afterMinutes: 1,
        labels: { webhook: 'xYzabcdefg', receiver: 'shop.test' },
        summary: 'The webhook xYzabcdefg to shop.test failed 30 times in a row and is not called any more.',
      },
    ],
    quiet: [
      {
        because: 'it failed some times and is still called',
        series: { [FAILURES]: '5x80' },
        afterMinutes: 30,
      },
    ],
  },
  MetricsUnreadable: {
    fires: [
      {
        series: { [`merx_metrics_failures_total{${CORE}, metric="merx_core_kept_changes"}`]: '0+1x80' },
        afterMinutes: 16,
        labels: { job: 'core', instance: 'core:3102', metric: 'merx_core_kept_changes' },
        summary: 'core cannot read its metric merx_core_kept_changes.',
      },
    ],
    quiet: [
      {
        because: 'it failed three times while the database was unavailable',
        series: {
          [`merx_metrics_failures_total{${CORE}, metric="merx_core_kept_changes"}`]: '0x20 1 2 3x60',
          [`merx_metrics_failures_total{${OTHER_CORE}, metric="merx_core_kept_changes"}`]: '0x20 1 2 3x60',
        },
        afterMinutes: 10,
      },
    ],
  },
}
