/** Metrics of the metrics service beyond requests: how the store is filled, and where the time of a query goes. */
import { instrumentsOf, observe } from '@merx/telemetry/metrics'
import type { IngestStatus } from './ingest/ingest-status.ts'

/** The steps of a query, in order. */
export type Stage = 'plan' | 'engine' | 'present'

const STAGE_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const BATCH_BOUNDS = [1, 10, 50, 100, 250, 500, 1_000, 2_500, 5_000]
const MILLISECONDS = 1_000

const instruments = instrumentsOf('metrics', (meter) => ({
  stages: meter.createHistogram('merx_metrics_query_stage_duration_seconds', {
    description:
      'Time of a query by stage: plan is body to SQL, engine a statement with its wait, present rows to answer.',
    advice: { explicitBucketBoundaries: STAGE_BOUNDS },
  }),
  batches: meter.createHistogram('merx_metrics_ingest_batch_entries', {
    description: 'Entries of the order feed that were stored together.',
    advice: { explicitBucketBoundaries: BATCH_BOUNDS },
  }),
}))

const recordStage = (stage: Stage, startedAt: number): void =>
  instruments().stages.record((performance.now() - startedAt) / MILLISECONDS, { stage })

/** Adds what `work` takes to its stage, also when it fails. */
export const timeStage = <T>(stage: Stage, work: () => T): T => {
  const startedAt = performance.now()
  try {
    return work()
  } finally {
    recordStage(stage, startedAt)
  }
}

/** As timeStage, for work that waits. */
export const timeAsyncStage = async <T>(stage: Stage, work: () => Promise<T>): Promise<T> => {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    recordStage(stage, startedAt)
  }
}

export const countBatch = (entries: number): void => instruments().batches.record(entries)

interface IngestMetric {
  readonly name: string
  readonly description: string
  readonly read: (status: IngestStatus) => number | undefined
  readonly isCounter?: boolean
}

const INGEST: readonly IngestMetric[] = [
  {
    name: 'merx_metrics_feed_lag_seconds',
    description: 'How long ago the store last held every order; 0 while it does.',
    read: ({ lagMs }) => (lagMs === undefined ? undefined : lagMs / MILLISECONDS),
  },
  {
    name: 'merx_metrics_feed_backlog',
    description: 'Changes in core that the store does not have, counted to 10,000.',
    read: ({ backlog }) => backlog,
  },
  {
    name: 'merx_metrics_feed_failures',
    description: 'Attempts to fill the store that failed in a row.',
    read: ({ failures }) => failures,
  },
  {
    name: 'merx_metrics_quarantined_documents',
    description: 'Orders whose newest state could not be stored; the table quarantine says why.',
    read: ({ quarantined }) => quarantined,
  },
  {
    name: 'merx_metrics_ingest_entries',
    description: 'Entries of the feed written by this process.',
    read: ({ appliedTotal }) => appliedTotal,
    isCounter: true,
  },
  {
    name: 'merx_metrics_store_has_caught_up',
    description: 'Whether the store has held every order, 0 or 1.',
    read: ({ hasCaughtUp }) => Number(hasCaughtUp),
  },
  {
    name: 'merx_metrics_is_filling',
    description: 'Whether this process is the one that fills the store, 0 or 1.',
    read: ({ role }) => Number(role === 'filling'),
  },
]

/** Reads what the ingest knows anyway. @returns ends it */
export const observeIngest = (status: () => IngestStatus): (() => void) => {
  const stops = INGEST.map(({ read, ...metric }) =>
    observe('metrics', { ...metric, read: () => read(status()) }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}
