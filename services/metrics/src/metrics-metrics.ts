/** What the metrics service tells of itself: how the store is filled, and where the time of a query goes. */
import { metricsOf } from '@merx/telemetry/metrics'
import type { IngestStatus } from './ingest/ingest-status.ts'

const metrics = metricsOf('metrics')

/** The steps of a query, in order. */
export type Stage = 'plan' | 'engine' | 'present'

const STAGE_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const BATCH_BOUNDS = [1, 10, 50, 100, 250, 500, 1_000, 2_500, 5_000] as const
const MILLISECONDS = 1_000

const stages = metrics.histogram({
  name: 'merx_metrics_query_stage_duration_seconds',
  help: 'Time of a query by stage: plan is body to SQL, engine a statement with its wait, present rows to answer.',
  labels: ['stage'],
  bounds: STAGE_BOUNDS,
})
const series = { plan: stages.of('plan'), engine: stages.of('engine'), present: stages.of('present') }

const batches = metrics
  .histogram({
    name: 'merx_metrics_ingest_batch_entries',
    help: 'Entries of the order feed that were stored together.',
    bounds: BATCH_BOUNDS,
  })
  .of()

/** Adds what `work` takes to its stage, also when it fails. */
export const timeStage = <T>(stage: Stage, work: () => T): T => {
  const startedAt = performance.now()
  try {
    return work()
  } finally {
    series[stage].record((performance.now() - startedAt) / MILLISECONDS)
  }
}

/** As timeStage, for work that waits. */
export const timeAsyncStage = async <T>(stage: Stage, work: () => Promise<T>): Promise<T> => {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    series[stage].record((performance.now() - startedAt) / MILLISECONDS)
  }
}

export const countBatch = (entries: number): void => batches.record(entries)

/** Read from what the ingest knows anyway, without asking anybody. @returns what takes them away */
export const defineIngestGauges = (status: () => IngestStatus): (() => void) => {
  const define = (
    name: string,
    help: string,
    read: (now: IngestStatus) => number | undefined,
    isCounter = false,
  ) => metrics.gauge({ name, help, isCounter, read: () => read(status()) })
  const removals = [
    define(
      'merx_metrics_feed_lag_seconds',
      'How long ago the store last held every order; 0 while it does.',
      ({ lagMs }) => (lagMs === undefined ? undefined : lagMs / MILLISECONDS),
    ),
    define(
      'merx_metrics_feed_backlog',
      'Changes in core that the store does not have, counted to 10,000.',
      ({ backlog }) => backlog,
    ),
    define(
      'merx_metrics_feed_failures',
      'Attempts to fill the store that failed in a row.',
      (now) => now.failures,
    ),
    define(
      'merx_metrics_quarantined_documents',
      'Orders whose newest state could not be stored; the table quarantine says why.',
      ({ quarantined }) => quarantined,
    ),
    define(
      'merx_metrics_ingest_entries',
      'Entries of the feed written by this process.',
      ({ appliedTotal }) => appliedTotal,
      true,
    ),
    define('merx_metrics_store_has_caught_up', 'Whether the store has held every order, 0 or 1.', (now) =>
      Number(now.hasCaughtUp),
    ),
    define(
      'merx_metrics_is_filling',
      'Whether this process is the one that fills the store, 0 or 1.',
      ({ role }) => Number(role === 'filling'),
    ),
  ]
  return () => {
    for (const remove of removals) remove()
  }
}
