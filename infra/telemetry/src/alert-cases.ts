/** For each alert, what it is tried on: here those of requests and processes. */
import type { AlertCases, Series } from './alert-case.ts'
import { casesOfData } from './alert-cases-of-data.ts'

const AUTH = 'job="auth", instance="auth:3101"'
const CORE = 'job="core", instance="core:3102"'
const METRICS = 'job="metrics", instance="metrics:3103"'
const CONSOLE = 'job="console", instance="console:3104"'
const OTHER_METRICS = 'job="metrics", instance="metrics-2:3103"'

const REQUEST = 'method="GET", route="/api/:type", listener="public"'
const COUNT = 'http_server_request_duration_seconds_count'
const BUCKET = 'http_server_request_duration_seconds_bucket'

const requests = (where: string, ok: string, failed: string): Series => ({
  [`${COUNT}{${where}, ${REQUEST}, status_class="2xx"}`]: ok,
  [`${COUNT}{${where}, ${REQUEST}, status_class="5xx"}`]: failed,
})

/** Of every 100 requests in a step so many take at most 1 s, 2.5 s and 5 s. */
const durations = (listener: string, ...within: readonly [one: number, two: number, five: number]): Series =>
  Object.fromEntries(
    [...within.map((count, at) => [['1', '2.5', '5'][at], count]), ['+Inf', 100]].map(([le, count]) => [
      `${BUCKET}{${CORE}, method="GET", route="/api/:type", listener="${listener}", status_class="2xx", le="${le}"}`,
      `0+${count}x80`,
    ]),
  )

const UP = { [`up{${AUTH}}`]: '1x80', [`up{${CORE}}`]: '1x80', [`up{${METRICS}}`]: '1x80' }

export const alertCases: Readonly<Record<string, AlertCases>> = {
  ServiceDown: {
    fires: [
      {
        series: { ...UP, [`up{${CORE}}`]: '1x10 0x40' },
        afterMinutes: 5,
        labels: { job: 'core', instance: 'core:3102' },
        summary: 'core at core:3102 does not answer.',
      },
      {
        series: { ...UP, [`up{${METRICS}}`]: '1x10 stale _x40' },
        afterMinutes: 5,
        labels: { job: 'metrics' },
        summary: 'metrics at any address does not answer.',
      },
      {
        series: { ...UP, [`up{${CONSOLE}}`]: '1x10 0x40' },
        afterMinutes: 5,
        labels: { job: 'console', instance: 'console:3104' },
        summary: 'console at console:3104 does not answer.',
      },
    ],
    quiet: [
      { because: 'all answer, and there is no console', series: UP, afterMinutes: 20 },
      {
        because: 'it came back within a minute',
        series: { ...UP, [`up{${CORE}}`]: '1x10 0x3 1x40' },
        afterMinutes: 5,
      },
      {
        because: 'it is no service of Merx',
        series: { ...UP, 'up{job="grafana", instance="grafana:3000"}': '0x80' },
        afterMinutes: 20,
      },
    ],
  },
  ServerErrors: {
    fires: [
      {
        series: requests(CORE, '0+98x80', '0+2x80'),
        afterMinutes: 10,
        labels: { job: 'core' },
        summary: 'core fails 2% of its requests.',
      },
    ],
    quiet: [
      { because: 'it is one in two hundred', series: requests(CORE, '0+199x80', '0+1x80'), afterMinutes: 20 },
      {
        because: 'it was a minute only',
        series: requests(CORE, '0+98x80', '0x20 0+2x4 8x60'),
        afterMinutes: 14,
      },
      {
        because: 'only other services asked',
        series: {
          [`${COUNT}{${CORE}, ${REQUEST}, status_class="2xx"}`]: '0+98x80',
          [`${COUNT}{${CORE}, method="GET", route="/internal/order-feed", listener="internal", status_class="5xx"}`]:
            '0+50x80',
        },
        afterMinutes: 20,
      },
    ],
  },
  SlowRequests: {
    fires: [
      {
        series: durations('public', 90, 95, 100),
        afterMinutes: 15,
        labels: { job: 'core' },
        summary: 'One request in a hundred of core takes longer than 4.5 s.',
      },
    ],
    quiet: [
      { because: 'one in two hundred is slow', series: durations('public', 90, 99.5, 100), afterMinutes: 20 },
      { because: 'the feed waits on purpose', series: durations('internal', 0, 0, 100), afterMinutes: 20 },
    ],
  },
  EventLoopBusy: {
    fires: [
      {
        series: { [`nodejs_eventloop_utilization{${AUTH}}`]: '0.95x80' },
        afterMinutes: 12,
        labels: { job: 'auth', instance: 'auth:3101' },
        summary: 'auth at auth:3101 has no processor time left.',
      },
    ],
    quiet: [
      {
        because: 'a tenth of its time is free',
        series: { [`nodejs_eventloop_utilization{${AUTH}}`]: '0.9x80' },
        afterMinutes: 20,
      },
      {
        because: 'there was a pause in between',
        series: { [`nodejs_eventloop_utilization{${AUTH}}`]: '0.95x30 0.5 0.95x30' },
        afterMinutes: 15,
      },
    ],
  },
  HeapNearLimit: {
    fires: [
      {
        series: {
          [`v8js_memory_heap_used_bytes{${METRICS}}`]: '900000000x80',
          [`v8js_memory_heap_limit_bytes{${METRICS}}`]: '1000000000x80',
          [`v8js_memory_heap_used_bytes{${OTHER_METRICS}}`]: '200000000x80',
          [`v8js_memory_heap_limit_bytes{${OTHER_METRICS}}`]: '1000000000x80',
        },
        afterMinutes: 12,
        labels: { job: 'metrics', instance: 'metrics:3103' },
        summary: 'metrics at metrics:3103 is about to run out of memory.',
      },
    ],
    quiet: [
      {
        because: 'what is collected in time comes back',
        series: {
          [`v8js_memory_heap_used_bytes{${METRICS}}`]: '900000000x20 400000000x2 900000000x20',
          [`v8js_memory_heap_limit_bytes{${METRICS}}`]: '1000000000x80',
        },
        afterMinutes: 11,
      },
      {
        because: 'the limit of another is higher',
        series: {
          [`v8js_memory_heap_used_bytes{${METRICS}}`]: '900000000x80',
          [`v8js_memory_heap_limit_bytes{${METRICS}}`]: '4000000000x80',
          [`v8js_memory_heap_limit_bytes{${OTHER_METRICS}}`]: '1000000000x80',
        },
        afterMinutes: 20,
      },
    ],
  },
  DatabaseConnectionsExhausted: {
    fires: [
      {
        series: {
          [`merx_db_connections{${CORE}, state="waiting"}`]: '3x40',
          [`merx_db_connections{${CORE}, state="idle"}`]: '0x40',
        },
        afterMinutes: 3,
        labels: { job: 'core', instance: 'core:3102', state: 'waiting' },
        summary: '3 requests of core wait for a database connection.',
      },
    ],
    quiet: [
      {
        because: 'all are in use and nobody waits',
        series: {
          [`merx_db_connections{${CORE}, state="waiting"}`]: '0x40',
          [`merx_db_connections{${CORE}, state="used"}`]: '10x40',
        },
        afterMinutes: 10,
      },
      {
        because: 'some waited for a moment',
        series: { [`merx_db_connections{${CORE}, state="waiting"}`]: '0x4 9x4 0x30' },
        afterMinutes: 3,
      },
    ],
  },
  RedisUnavailable: {
    fires: [
      {
        series: { [`merx_redis_up{${AUTH}}`]: '0x40', [`merx_redis_up{${CORE}}`]: '1x40' },
        afterMinutes: 3,
        labels: { job: 'auth', instance: 'auth:3101' },
        summary: 'auth at auth:3101 works without Redis.',
      },
    ],
    quiet: [
      { because: 'it is there', series: { [`merx_redis_up{${AUTH}}`]: '1x40' }, afterMinutes: 10 },
      {
        because: 'it was restarted',
        series: { [`merx_redis_up{${AUTH}}`]: '1x4 0x4 1x30' },
        afterMinutes: 4,
      },
    ],
  },
  TokenRefusals: {
    fires: [
      {
        series: {
          [`merx_auth_refusals_total{${AUTH}, grant="password", reason="invalid_client"}`]: '0+10x120',
          [`merx_auth_refusals_total{${AUTH}, grant="client_credentials", reason="invalid_client"}`]:
            '0+20x120',
        },
        afterMinutes: 22,
        labels: { job: 'auth', reason: 'invalid_client' },
        summary: 'More than one request a second comes with wrong credentials.',
      },
    ],
    quiet: [
      {
        because: 'it is one every two seconds',
        series: {
          [`merx_auth_refusals_total{${AUTH}, grant="client_credentials", reason="invalid_client"}`]:
            '0+7x120',
        },
        afterMinutes: 30,
      },
      {
        because: 'the credentials were right',
        series: {
          [`merx_auth_refusals_total{${AUTH}, grant="client_credentials", reason="invalid_scope"}`]:
            '0+60x120',
        },
        afterMinutes: 30,
      },
    ],
  },
  RateLimitedALot: {
    fires: [
      {
        series: {
          [`merx_rate_limited_total{${AUTH}, route="/oauth/token"}`]: '0+30x120',
          [`${COUNT}{${AUTH}, method="POST", route="/oauth/token", listener="public", status_class="4xx"}`]:
            '0+30x120',
          [`${COUNT}{${AUTH}, method="POST", route="/oauth/token", listener="public", status_class="2xx"}`]:
            '0+30x120',
        },
        afterMinutes: 20,
        labels: { job: 'auth' },
        summary: 'auth refuses 50% of its requests with 429.',
      },
    ],
    quiet: [
      {
        because: 'it is one in ten',
        series: {
          [`merx_rate_limited_total{${AUTH}, route="/oauth/token"}`]: '0+3x120',
          [`${COUNT}{${AUTH}, method="POST", route="/oauth/token", listener="public", status_class="2xx"}`]:
            '0+30x120',
        },
        afterMinutes: 30,
      },
      {
        because: 'nobody asks',
        series: {
          [`merx_rate_limited_total{${AUTH}, route="/oauth/token"}`]: '50x120',
          [`${COUNT}{${AUTH}, method="POST", route="/oauth/token", listener="public", status_class="2xx"}`]:
            '50x120',
        },
        afterMinutes: 30,
      },
    ],
  },
  ...casesOfData,
}
