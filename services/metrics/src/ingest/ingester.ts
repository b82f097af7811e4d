/**
 * Keeps the store equal to core. One process of a store does, by lease (docs/adr/0034-one-ingester-per-store.md); the others
 * stand by. While core or the engine is away it retries, slower and slower.
 */
import { randomUUID } from 'node:crypto'
import type { FillingDeps } from './follow-feed.ts'
import { fromOther, toWireStatus, type IngestStatus } from './ingest-status.ts'
import { lead } from './lead.ts'
import { createLease, LeaseLost } from './lease.ts'
import { createProgress, noteFailure, ownStatus } from './progress.ts'

export interface Ingester {
  start(): void
  /** Resolves when the store holds everything that core had when asked; rejects when closed before that. */
  caughtUp(): Promise<void>
  status(): IngestStatus
  /** Ends after the batch in hand. */
  close(): Promise<void>
}

export interface IngesterDeps extends Omit<FillingDeps, 'progress' | 'onCaughtUp'> {
  /**
   * Who this process is among those that may fill the store: at each start another, unless the store lets in one process only,
   * which then need not wait for the lease of the one before it to run out.
   */
  readonly holder?: string
}

export const createIngester = (deps: IngesterDeps): Ingester => {
  const { feed, state, clock, log, pause, holder = randomUUID() } = deps
  const closing = new AbortController()
  const caughtUp = Promise.withResolvers<void>()
  caughtUp.promise.catch(() => undefined) // whoever awaits caughtUp() sees it; nobody has to
  const progress = createProgress()
  let loop: Promise<void> | undefined
  let firstToldAt: unknown

  const status = (): IngestStatus => {
    const [failures, backlog, waitingMs] = [lease.failures(), lease.backlog(), lease.waitingMs()]
    const own = ownStatus(progress, { failures, backlog, waitingMs }, clock)
    const told = lease.othersReport()
    return progress.isFilling || told === undefined ? own : fromOther(told, own)
  }

  const lease = createLease({
    holder,
    feed,
    state,
    openStore: () => deps.tables.open(),
    log,
    pause,
    report: () => {
      const now = status()
      const report = { ...toWireStatus(now), told_at: clock.now().toISOString() }
      return { after: progress.isFilling ? now.position : undefined, report }
    },
    // What is found at the first look may be the last word of a process that was killed before changes that core has since.
    onOther: ({ has_caught_up: hasCaughtUp, lag_ms: lagMs, told_at: toldAt }) => {
      firstToldAt ??= toldAt
      if (toldAt !== firstToldAt && hasCaughtUp === true && lagMs === 0) caughtUp.resolve()
    },
  })

  const fillWhileHeld = async (): Promise<void> => {
    const held = await lease.take(closing.signal)
    log.info({ token: held.token }, 'this process fills the analytics store')
    const filling = { ...deps, progress, onCaughtUp: () => caughtUp.resolve() }
    try {
      await lead(filling, held, AbortSignal.any([closing.signal, held.signal]))
    } finally {
      progress.isFilling = false
      await held.giveBack()
    }
  }

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await fillWhileHeld()
      } catch (error) {
        if (closing.signal.aborted) return
        if (error instanceof LeaseLost) log.warn({ err: error }, 'another process may fill the store now')
        else await pause(noteFailure(progress, error, log), closing.signal)
      }
    }
  }

  return {
    start: () => {
      loop ??= run()
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
