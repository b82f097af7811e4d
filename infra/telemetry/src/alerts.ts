/** The alerts, with their severity; each has a page in docs/runbooks named like it. */

export interface Alert {
  /** PascalCase; the page is its kebab-case. */
  readonly name: string
  readonly expression: string
  /** How long it must hold. */
  readonly for: string
  /** `page` wakes somebody: users are refused or soon will be. `ticket` waits for the day. */
  readonly severity: 'page' | 'ticket'
  /** One sentence; `{{ $labels.job }}` and `{{ $value }}` are filled in by Prometheus. */
  readonly summary: string
}

const PUBLIC = 'listener="public"'

/** Prometheus's `job` is the service. */
export const alerts: readonly Alert[] = [
  {
    name: 'ServiceDown',
    // The second half: where addresses are discovered, what is gone has no series at all. Merx may run without a console.
    expression: `up{job=~"auth|core|metrics|console"} == 0 or ${['auth', 'core', 'metrics'].map((job) => `absent(up{job="${job}"})`).join(' or ')}`,
    for: '1m',
    severity: 'page',
    summary:
      '{{ $labels.job }} at {{ with $labels.instance }}{{ . }}{{ else }}any address{{ end }} does not answer.',
  },
  {
    name: 'ServerErrors',
    expression: `sum by (job) (rate(http_server_request_duration_seconds_count{${PUBLIC}, status_class="5xx"}[5m])) / sum by (job) (rate(http_server_request_duration_seconds_count{${PUBLIC}}[5m])) > 0.01`,
    for: '5m',
    severity: 'page',
    summary: '{{ $labels.job }} fails {{ $value | humanizePercentage }} of its requests.',
  },
  {
    name: 'SlowRequests',
    expression: `histogram_quantile(0.99, sum by (job, le) (rate(http_server_request_duration_seconds_bucket{${PUBLIC}}[5m]))) > 2.5`,
    for: '10m',
    severity: 'ticket',
    summary:
      'One request in a hundred of {{ $labels.job }} takes longer than {{ $value | printf "%.1f" }} s.',
  },
  {
    name: 'EventLoopBusy',
    expression: 'nodejs_eventloop_utilization > 0.9',
    for: '10m',
    severity: 'ticket',
    summary: '{{ $labels.job }} at {{ $labels.instance }} has no processor time left.',
  },
  {
    name: 'HeapNearLimit',
    expression: 'v8js_memory_heap_used_bytes / v8js_memory_heap_limit_bytes > 0.85',
    for: '10m',
    severity: 'page',
    summary: '{{ $labels.job }} at {{ $labels.instance }} is about to run out of memory.',
  },
  {
    name: 'DatabaseConnectionsExhausted',
    expression: 'merx_db_connections{state="waiting"} > 0',
    for: '2m',
    severity: 'page',
    summary: '{{ $value }} requests of {{ $labels.job }} wait for a database connection.',
  },
  {
    name: 'RedisUnavailable',
    expression: 'merx_redis_up == 0',
    for: '2m',
    severity: 'ticket',
    summary: '{{ $labels.job }} at {{ $labels.instance }} works without Redis.',
  },
  {
    name: 'TokenRefusals',
    expression: 'sum by (job, reason) (rate(merx_auth_refusals_total{reason="invalid_client"}[10m])) > 1',
    for: '10m',
    severity: 'ticket',
    summary: 'More than one request a second comes with wrong credentials.',
  },
  {
    name: 'RateLimitedALot',
    expression:
      'sum by (job) (rate(merx_rate_limited_total[10m])) / sum by (job) (rate(http_server_request_duration_seconds_count{listener="public"}[10m])) > 0.2',
    for: '15m',
    severity: 'ticket',
    summary: '{{ $labels.job }} refuses {{ $value | humanizePercentage }} of its requests with 429.',
  },
  {
    name: 'BitmapIndexBehind',
    expression: 'merx_core_kept_changes > 100000',
    for: '10m',
    severity: 'ticket',
    summary: '{{ $value }} changes wait to be merged into the bitmap index; lists get slower.',
  },
  {
    name: 'WebhooksLate',
    expression: 'max(merx_core_webhook_oldest_due_seconds) > 60',
    for: '2m',
    severity: 'ticket',
    summary: 'The oldest delivery of a webhook has been due for {{ $value | printf "%.0f" }} s.',
  },
  {
    name: 'WebhookFailing',
    // Above 29 WebhookCircuitOpen fires in its place.
    expression: 'max by (webhook, receiver) (merx_core_webhook_failures) >= 5 < 30',
    for: '1m',
    severity: 'ticket',
    summary:
      'The webhook {{ $labels.webhook }} to {{ $labels.receiver }} failed {{ $value }} times in a row; after 30 it is not called any more.',
  },
  {
    name: 'WebhookCircuitOpen',
    expression: 'max by (webhook, receiver) (merx_core_webhook_failures) >= 30',
    for: '0m',
    severity: 'ticket',
    summary:
      'The webhook {{ $labels.webhook }} to {{ $labels.receiver }} failed {{ $value }} times in a row and is not called any more.',
  },
  {
    name: 'PaymentsGivenUp',
    expression: 'sum by (reason) (increase(merx_core_payments_given_up_total[1d])) > 0',
    for: '0m',
    severity: 'ticket',
    summary:
      'Payments of the last day that a person must see to ({{ $labels.reason }}): {{ $value | printf "%.0f" }}.',
  },
  {
    name: 'MetricsStoreLate',
    expression: 'max(merx_metrics_feed_lag_seconds) > 30',
    for: '2m',
    severity: 'page',
    summary: 'Numbers of metrics are {{ $value | printf "%.0f" }} s old.',
  },
  {
    name: 'NobodyFillsTheStore',
    expression: '(sum(merx_metrics_is_filling) or vector(0)) < 1',
    for: '2m',
    severity: 'page',
    summary: 'No process of metrics reads the order feed.',
  },
  {
    name: 'DocumentsInQuarantine',
    expression: 'max(merx_metrics_quarantined_documents) > 0',
    for: '5m',
    severity: 'ticket',
    summary: '{{ $value }} orders are missing from metrics in their newest state.',
  },
  {
    name: 'MetricsUnreadable',
    expression: 'increase(merx_metrics_failures_total[15m]) > 3',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $labels.job }} cannot read its metric {{ $labels.metric }}.',
  },
]

/** `ServiceDown` gives `service-down`. */
export const pageOf = ({ name }: Pick<Alert, 'name'>): string =>
  name.replaceAll(/(?<=[a-z])([A-Z])/g, '-$1').toLowerCase()
