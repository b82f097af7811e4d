/**
 * The lease on filling a store. Core grants it to one process at a time; the leader renews it, and stops believing in it before
 * core can grant it to another (docs/adr/0034-one-ingester-per-store.md).
 */
import type { Logger } from '@merx/telemetry/logger'
import { isTableMissing } from '../engine/engine-errors.ts'
import type { StateStore } from '../store/ingest-state.ts'
import { isRefusal, type FeedSource, type LeaseAnswer } from './feed-source.ts'

export interface Lease {
  /** Grows with each new leader; rows of the ingest state carry it, so that those of an earlier leader do not count. */
  readonly token: number
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal
  /** Throws when the lease has run out, even if no renewal has failed yet: this process may have been paused. */
  requireHeld(): void
  /** Stops renewing and lets another process have the lease at once. */
  release(): Promise<void>
}

type Report = Readonly<Record<string, unknown>>

export interface LeaseStatus {
  /** The last report of another leader and its age; undefined when this process was the last leader. */
  readonly leader: { readonly report: Report; readonly ageMs: number } | undefined
  /** Changes that wait in core, as of the last renewal. */
  readonly backlog: number | undefined
  /** How long changes have waited behind one and the same position; 0 when it moves, or nothing waits. */
  readonly waitingMs: number
  /** Requests that failed in a row. */
  readonly failures: number
}

export interface LeaseClient {
  /** Asks once. Undefined while another process holds the lease, or when core or the engine cannot be reached. */
  acquire(): Promise<Lease | undefined>
  status(): LeaseStatus
}

export interface LeaseDeps {
  /** Name of this process among those that may fill the store. */
  readonly holder: string
  readonly feed: FeedSource
  readonly state: StateStore
  /** Creates the control tables. */
  readonly openStore: () => Promise<void>
  readonly log: Logger
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** The status of this process, sent with each renewal. */
  readonly report: () => { readonly after: string | undefined; readonly report: Report }
  /** Receives each report of another leader. */
  readonly onOther: (report: Report) => void
}

const TTL_MS = 4_000
const RENEW_MS = 1_000

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

interface Renewal {
  readonly request: (ttlMs: number) => Promise<LeaseAnswer>
  readonly noteFailure: (error: unknown) => void
  readonly pause: LeaseDeps['pause']
}

/** Renews the lease until it is released, lost, or not renewed in time. */
const holdLease = ({ request, noteFailure, pause }: Renewal, token: number, requestedAtMs: number): Lease => {
  const lost = new AbortController()
  const released = new AbortController()
  // Counted from before the request was sent, so it never ends later than core believes.
  let heldUntilMs = requestedAtMs + TTL_MS
  const isHeld = (): boolean => !lost.signal.aborted && performance.now() < heldUntilMs

  const renew = async (): Promise<void> => {
    const sentAtMs = performance.now()
    try {
      const answer = await request(TTL_MS)
      if (answer.isHeld && answer.token === token) heldUntilMs = sentAtMs + TTL_MS
      else lost.abort(new LeaseLost('another process fills the store'))
    } catch (error) {
      noteFailure(error)
    }
  }

  const renewing = (async () => {
    while (!released.signal.aborted && !lost.signal.aborted) {
      await pause(RENEW_MS, released.signal)
      if (released.signal.aborted) return
      await renew()
      if (!isHeld()) lost.abort(new LeaseLost('the lease ran out'))
    }
  })()

  return {
    token,
    signal: lost.signal,
    requireHeld: () => {
      if (!isHeld()) lost.abort(new LeaseLost('the lease ran out'))
      lost.signal.throwIfAborted()
    },
    release: async () => {
      released.abort()
      await renewing
      if (isHeld()) await request(0).then(() => undefined, noteFailure)
    },
  }
}

export const createLeaseClient = (deps: LeaseDeps): LeaseClient => {
  const { holder, feed, state, openStore, log, pause, report, onOther } = deps
  let leader: { readonly report: Report; readonly atMs: number } | undefined
  let backlog: number | undefined
  let waiting: { readonly after: string; readonly sinceMs: number } | undefined
  let failures = 0
  /** Read when the lease is acquired, not when it is renewed: a renewal must not wait for a busy engine. */
  let store: { readonly name: string; readonly token: number } | undefined

  const noteBacklog = (count: number | undefined, after: string | undefined): void => {
    backlog = count ?? backlog
    if (after === undefined || count === undefined || count === 0) waiting = undefined
    else if (waiting?.after !== after) waiting = { after, sinceMs: performance.now() }
  }

  const readStore = async () => {
    const { storeName: name, token } = await state.read()
    return { name, token }
  }

  const request = async (ttlMs: number): Promise<LeaseAnswer> => {
    store ??= await readStore()
    const body = { store: store.name, above: store.token, holder, ttlMs, ...report() }
    const answer = await feed.takeLease(body).catch((error: unknown) => {
      // A position that core refuses is handled by the feed consumer, and is no reason to lose the lease.
      if (body.after === undefined || !isRefusal(error)) throw error
      return feed.takeLease({ ...body, after: undefined })
    })
    leader = answer.isHeld ? undefined : { report: answer.report, atMs: performance.now() }
    if (leader !== undefined) onOther(leader.report)
    noteBacklog(answer.backlog, body.after)
    failures = 0
    return answer
  }

  const noteFailure = (error: unknown): void => {
    failures += 1
    const level = failures === 1 || failures % 100 === 0 ? 'warn' : 'debug'
    log[level]({ err: error, failures }, 'the lease on the analytics store cannot be requested; retrying')
  }

  return {
    acquire: async () => {
      store = undefined
      const requestedAtMs = performance.now()
      try {
        const { isHeld, token } = await request(TTL_MS)
        return isHeld ? holdLease({ request, noteFailure, pause }, token, requestedAtMs) : undefined
      } catch (error) {
        noteFailure(error)
        if (isTableMissing(error)) await openStore().catch(noteFailure) // the store was lost while this process ran
        return undefined
      }
    },
    status: () => ({
      leader:
        leader === undefined ? undefined : { report: leader.report, ageMs: performance.now() - leader.atMs },
      backlog,
      waitingMs: waiting === undefined ? 0 : performance.now() - waiting.sinceMs,
      failures,
    }),
  }
}
