/**
 * Keeps the store equal to core with three loops: elect (elect.ts), follow (feed-consumer.ts) and rebuild (rebuild.ts). One
 * process of a store is the leader and does the work; the others stand by (docs/adr/0065-three-ingest-loops.md).
 */
import { randomUUID } from 'node:crypto'
import { elect } from './elect.ts'
import type { IngestDeps } from './feed-consumer.ts'
import { fromLeader, toWireStatus, type IngestStatus } from './ingest-status.ts'
import { createLeaseClient } from './lease.ts'
import { createProgress, ownStatus } from './progress.ts'
import { lead } from './rebuild.ts'

export interface Ingester {
  start(): void
  /** Resolves when the store holds everything that core had; rejects when closed before that. */
  caughtUp(): Promise<void>
  status(): IngestStatus
  /** Ends after the batch in hand. */
  close(): Promise<void>
}

export interface IngesterDeps extends Omit<IngestDeps, 'progress' | 'onCaughtUp' | 'isEmbedded'> {
  readonly isEmbedded?: boolean
}

export const createIngester = (deps: IngesterDeps): Ingester => {
  const { feed, state, tables, clock, log, pause, isEmbedded = false } = deps
  const closing = new AbortController()
  const caughtUp = Promise.withResolvers<void>()
  caughtUp.promise.catch(() => undefined) // callers of caughtUp() receive it; there may be none
  const progress = createProgress()
  // The next process of an embedded store takes over the lease of the one before it, instead of waiting until it runs out.
  const holder = isEmbedded ? 'embedded' : randomUUID()
  const ingest: IngestDeps = { ...deps, isEmbedded, progress, onCaughtUp: () => caughtUp.resolve() }
  const openStore = (): Promise<void> => tables.open()
  let loop: Promise<void> | undefined
  let firstReportAt: unknown

  const status = (): IngestStatus => {
    const lease = leases.status()
    const own = ownStatus(progress, lease, clock)
    return progress.isLeader || lease.leader === undefined ? own : fromLeader(lease.leader, own)
  }

  const leases = createLeaseClient({
    holder,
    feed,
    state,
    openStore,
    log,
    pause,
    report: () => {
      const now = status()
      const report = { ...toWireStatus(now), told_at: clock.now().toISOString() }
      return { after: progress.isLeader ? now.position : undefined, report }
    },
    // The first report may be the last one of a leader that was killed before changes that core has since.
    onOther: ({ has_caught_up: hasCaughtUp, lag_ms: lagMs, told_at: reportedAt }) => {
      firstReportAt ??= reportedAt
      if (reportedAt !== firstReportAt && hasCaughtUp === true && lagMs === 0) caughtUp.resolve()
    },
  })

  return {
    start: () => {
      loop ??= elect(
        { leases, lead: (lease, signal) => lead(ingest, lease, signal), openStore, progress, log, pause },
        closing.signal,
      )
    },
    caughtUp: () => caughtUp.promise,
    status,
    close: async () => {
      closing.abort()
      await loop
      await deps.preparer.close()
      caughtUp.reject(new Error('closed before the analytics store held every order'))
    },
  }
}
