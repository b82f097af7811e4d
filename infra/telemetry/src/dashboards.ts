/** A Grafana dashboard for each service: the same rows for what all have, then its own. */

export interface Panel {
  readonly title: string
  /** Grafana's unit: `reqps`, `s`, `percentunit`, `bytes`, `short`. */
  readonly unit: string
  /** Expression and legend of each line. */
  readonly lines: readonly (readonly [expression: string, legend: string])[]
}

export interface Dashboard {
  readonly service: string
  readonly panels: readonly Panel[]
}

const REQUESTS = 'http_server_request_duration_seconds'

const requestPanels = (job: string): readonly Panel[] => {
  const seen = `job="${job}", listener="public"`
  const quantile = (share: number): string =>
    `histogram_quantile(${share}, sum by (le) (rate(${REQUESTS}_bucket{${seen}}[$__rate_interval])))`
  return [
    {
      title: 'Requests by route',
      unit: 'reqps',
      lines: [
        [
          `sum by (method, route) (rate(${REQUESTS}_count{${seen}}[$__rate_interval]))`,
          '{{method}} {{route}}',
        ],
      ],
    },
    {
      title: 'Answers by class',
      unit: 'reqps',
      lines: [
        [`sum by (status_class) (rate(${REQUESTS}_count{${seen}}[$__rate_interval]))`, '{{status_class}}'],
      ],
    },
    {
      title: 'Duration',
      unit: 's',
      lines: [
        [quantile(0.5), 'half'],
        [quantile(0.95), '95 %'],
        [quantile(0.99), '99 %'],
      ],
    },
    {
      title: 'Slowest routes, 99 %',
      unit: 's',
      lines: [
        [
          `topk(5, histogram_quantile(0.99, sum by (le, method, route) (rate(${REQUESTS}_bucket{${seen}}[$__rate_interval]))))`,
          '{{method}} {{route}}',
        ],
      ],
    },
    {
      title: 'Errors by code',
      unit: 'reqps',
      lines: [[`sum by (code) (rate(merx_errors_total{job="${job}"}[$__rate_interval]))`, '{{code}}']],
    },
    {
      title: 'Rate limited, and callers who went away',
      unit: 'reqps',
      lines: [
        [`sum by (route) (rate(merx_rate_limited_total{job="${job}"}[$__rate_interval]))`, '429 {{route}}'],
        [`sum(rate(merx_aborted_requests_total{job="${job}"}[$__rate_interval]))`, 'went away'],
      ],
    },
  ]
}

const processPanels = (job: string): readonly Panel[] => [
  {
    title: 'Event loop',
    unit: 'percentunit',
    lines: [[`nodejs_eventloop_utilization{job="${job}"}`, '{{instance}}']],
  },
  {
    title: 'Event loop delay, 99 %',
    unit: 's',
    lines: [[`nodejs_eventloop_delay_seconds{job="${job}", quantile="0.99"}`, '{{instance}}']],
  },
  {
    title: 'Memory',
    unit: 'bytes',
    lines: [
      [`v8js_memory_heap_used_bytes{job="${job}"}`, 'heap {{instance}}'],
      [`v8js_memory_heap_limit_bytes{job="${job}"}`, 'limit {{instance}}'],
      [`process_resident_memory_bytes{job="${job}"}`, 'process {{instance}}'],
    ],
  },
  {
    title: 'Garbage collection, share of time',
    unit: 'percentunit',
    lines: [
      [`sum by (kind) (rate(v8js_gc_duration_seconds_sum{job="${job}"}[$__rate_interval]))`, '{{kind}}'],
    ],
  },
  {
    title: 'Processor time, cores',
    unit: 'short',
    lines: [[`rate(process_cpu_seconds_total{job="${job}"}[$__rate_interval])`, '{{instance}}']],
  },
  {
    title: 'Redis',
    unit: 'short',
    lines: [[`merx_redis_up{job="${job}"}`, '{{instance}}']],
  },
]

const sharedPanels = (job: string): readonly Panel[] => [...requestPanels(job), ...processPanels(job)]

const database = (job: string): Panel => ({
  title: 'Database connections',
  unit: 'short',
  lines: [
    [`sum by (state) (merx_db_connections{job="${job}"})`, '{{state}}'],
    [`sum(merx_db_connections_limit{job="${job}"})`, 'limit'],
  ],
})

/** In the order of the README. */
export const dashboards: readonly Dashboard[] = [
  {
    service: 'auth',
    panels: [
      {
        title: 'Tokens by grant',
        unit: 'reqps',
        lines: [
          [
            'sum by (grant, outcome) (rate(merx_auth_tokens_total[$__rate_interval]))',
            '{{grant}} {{outcome}}',
          ],
        ],
      },
      {
        title: 'Share of tokens handed out again',
        unit: 'percentunit',
        lines: [
          [
            'sum(rate(merx_auth_tokens_total{outcome="reused"}[$__rate_interval])) / sum(rate(merx_auth_tokens_total[$__rate_interval]))',
            'reused',
          ],
        ],
      },
      {
        title: 'Refusals by grant and reason',
        unit: 'reqps',
        lines: [
          [
            'sum by (grant, reason) (rate(merx_auth_refusals_total[$__rate_interval]))',
            '{{grant}} {{reason}}',
          ],
        ],
      },
      {
        title: 'Revocations',
        unit: 'reqps',
        lines: [['sum by (kind) (rate(merx_auth_revocations_total[$__rate_interval]))', '{{kind}}']],
      },
      ...sharedPanels('auth'),
      database('auth'),
    ],
  },
  {
    service: 'core',
    panels: [
      {
        title: 'Lists: given again, read from the database',
        unit: 'reqps',
        lines: [['sum by (outcome) (rate(merx_core_list_answers_total[$__rate_interval]))', '{{outcome}}']],
      },
      {
        title: 'Members of the bitmap index: what exists, has a price, has stock',
        unit: 'short',
        lines: [['max by (set) (merx_core_kept_members)', '{{set}}']],
      },
      {
        title: 'Changes that wait to be merged into the bitmap index',
        unit: 'short',
        lines: [['max(merx_core_kept_changes)', 'waiting']],
      },
      {
        title: 'Webhooks: calls by outcome',
        unit: 'reqps',
        lines: [
          ['sum by (outcome) (rate(merx_core_webhook_attempts_total[$__rate_interval]))', '{{outcome}}'],
        ],
      },
      {
        title: 'Webhooks: deliveries that are not done',
        unit: 'short',
        lines: [['max by (state) (merx_core_webhook_deliveries)', '{{state}}']],
      },
      {
        title: 'Webhooks: age of the oldest delivery that is due',
        unit: 's',
        lines: [['max(merx_core_webhook_oldest_due_seconds)', 'age']],
      },
      {
        title: 'Webhooks: failures in a row by receiver',
        unit: 'short',
        lines: [['max by (webhook, receiver) (merx_core_webhook_failures)', '{{receiver}} {{webhook}}']],
      },
      {
        title: 'Event streams: open by process, at most 2,000 of each',
        unit: 'short',
        lines: [['merx_core_event_streams', '{{instance}}']],
      },
      {
        title: 'Event streams: messages, and ends by reason',
        unit: 'reqps',
        lines: [
          ['sum(rate(merx_core_event_stream_messages_total[$__rate_interval]))', 'messages'],
          ['sum by (reason) (rate(merx_core_event_streams_ended_total[$__rate_interval]))', '{{reason}}'],
        ],
      },
      ...sharedPanels('core'),
      database('core'),
    ],
  },
  {
    service: 'metrics',
    panels: [
      {
        title: 'How late the store is',
        unit: 's',
        lines: [['max(merx_metrics_feed_lag_seconds)', 'late']],
      },
      {
        title: 'Changes that the store does not have',
        unit: 'short',
        lines: [['max(merx_metrics_feed_backlog)', 'backlog']],
      },
      {
        title: 'Entries written, batches',
        unit: 'short',
        lines: [
          ['sum(rate(merx_metrics_ingest_entries_total[$__rate_interval]))', 'entries a second'],
          ['sum(rate(merx_metrics_ingest_batch_entries_count[$__rate_interval]))', 'batches a second'],
          [
            'histogram_quantile(0.5, sum by (le) (rate(merx_metrics_ingest_batch_entries_bucket[$__rate_interval])))',
            'size of half the batches',
          ],
        ],
      },
      {
        title: 'Time of a query by stage, 95 %',
        unit: 's',
        lines: [
          [
            'histogram_quantile(0.95, sum by (le, stage) (rate(merx_metrics_query_stage_duration_seconds_bucket[$__rate_interval])))',
            '{{stage}}',
          ],
        ],
      },
      {
        title: 'Trouble: quarantine, failures in a row, who fills the store',
        unit: 'short',
        lines: [
          ['max(merx_metrics_quarantined_documents)', 'in quarantine'],
          ['max(merx_metrics_feed_failures)', 'failures in a row'],
          ['sum(merx_metrics_is_filling)', 'fills the store'],
          ['max(merx_metrics_store_has_caught_up)', 'has caught up'],
        ],
      },
      ...sharedPanels('metrics'),
    ],
  },
  {
    service: 'console',
    panels: [
      {
        title: 'Sign-ins by outcome',
        unit: 'reqps',
        lines: [['sum by (outcome) (rate(merx_console_sign_ins_total[$__rate_interval]))', '{{outcome}}']],
      },
      ...sharedPanels('console'),
    ],
  },
]
