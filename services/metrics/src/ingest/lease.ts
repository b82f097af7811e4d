/**
 * This process's part in who fills the store: takes the lease when it is free, renews it while it has it, and stops believing
 * in it before anybody else can have it (docs/adr/0034-one-ingester-per-store.md).
 */
import type { Logger } from '@merx/telemetry/logger'
import { isTableMissing } from '../engine/engine-errors.ts'
import type { StateStore } from '../store/ingest-state.ts'
import { isRefusal, type FeedSource, type LeaseAnswer } from './feed-source.ts'

export interface HeldLease {
  readonly token: number
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal
  /** Throws when the lease has run out, also if nobody noticed yet: this process may have been paused. */
  requireHeld(): void
  /** Ends renewing and lets others have it at once. */
  giveBack(): Promise<void>
}

export interface Lease {
  /** Asks until it has the lease. Throws only when the signal aborts. */
  take(signal: AbortSignal): Promise<HeldLease>
  /** What another holder said last, and how long ago; undefined when this process held it last. */
  othersReport(): { readonly report: Report; readonly ageMs: number } | undefined
  /** Changes that wait in core, as told with the last renewal. */
  backlog(): number | undefined
  /** How long there have been changes behind one and the same position; 0 when it moves, or nothing is behind it. */
  waitingMs(): number
  /** Attempts to ask that failed in a row. */
  failures(): number
}

type Report = Readonly<Record<string, unknown>>

export interface LeaseDeps {
  /** Who this process is among those that may fill the store. */
  readonly holder: string
  readonly feed: FeedSource
  readonly state: StateStore
  /** Creates what the state is kept in. */
  readonly openStore: () => Promise<void>
  readonly log: Logger
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Of this process, sent with each renewal. */
  readonly report: () => { readonly after: string | undefined; readonly report: Report }
  /** Told what another holder says about itself. */
  readonly onOther: (report: Report) => void
}

const TTL_MS = 4_000
const RENEW_MS = 500
const RETRY_MS = 250

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

interface Asking {
  readonly ask: (ttlMs: number) => Promise<LeaseAnswer>
  readonly noteFailure: (error: unknown) => void
  readonly pause: LeaseDeps['pause']
}

/** Renews until it is given back, lost, or not renewed in time. */
const hold = ({ ask, noteFailure, pause }: Asking, first: LeaseAnswer, askedAtMs: number): HeldLease => {
  const lost = new AbortController()
  const ended = new AbortController()
  let heldUntilMs = askedAtMs + TTL_MS
  const isHeld = (): boolean => !lost.signal.aborted && performance.now() < heldUntilMs

  const renew = async (): Promise<void> => {
    const sentAtMs = performance.now()
    try {
      const { isHeld: stillHeld, token } = await ask(TTL_MS)
      if (!stillHeld || token !== first.token) lost.abort(new LeaseLost('another process fills the store'))
      else heldUntilMs = sentAtMs + TTL_MS
    } catch (error) {
      noteFailure(error)
    }
  }

  const renewing = (async () => {
    while (!ended.signal.aborted && !lost.signal.aborted) {
      await pause(RENEW_MS, ended.signal)
      if (ended.signal.aborted) return
      await renew()
      if (!isHeld()) lost.abort(new LeaseLost('the lease ran out'))
    }
  })()

  return {
    token: first.token,
    signal: lost.signal,
    requireHeld: () => {
      if (isHeld()) return
      const reason = new LeaseLost('the lease ran out')
      lost.abort(reason)
      throw reason
    },
    giveBack: async () => {
      ended.abort()
      await renewing
      if (!isHeld()) return
      try {
        await ask(0)
      } catch (error) {
        noteFailure(error)
      }
    },
  }
}

export const createLease = (deps: LeaseDeps): Lease => {
  const { holder, feed, state, openStore, log, pause, report, onOther } = deps
  let other: { readonly report: Report; readonly atMs: number } | undefined
  let backlog: number | undefined
  let waiting: { readonly after: string; readonly sinceMs: number } | undefined
  let failures = 0

  /** Read when the lease is taken, not when it is renewed: a renewal must not wait for an engine that is busy. */
  let known: { readonly store: string; readonly above: number } | undefined
  const readStore = async () => {
    const { storeName: store, token: above } = await state.read()
    return { store, above }
  }
  const noteBacklog = (told: number | undefined, after: string | undefined): void => {
    backlog = told ?? backlog
    if (after === undefined || told === undefined || told === 0) waiting = undefined
    else if (waiting?.after !== after) waiting = { after, sinceMs: performance.now() }
  }
  const ask = async (ttlMs: number): Promise<LeaseAnswer> => {
    const { store, above } = known ?? (await readStore())
    known = { store, above }
    const request = { store, above, holder, ttlMs, ...report() }
    const answer = await feed.takeLease(request).catch((error: unknown) => {
      // A position that core cannot read is the feed's affair, and no reason to go without a lease.
      if (request.after === undefined || !isRefusal(error)) throw error
      return feed.takeLease({ ...request, after: undefined })
    })
    other = answer.isHeld ? undefined : { report: answer.report, atMs: performance.now() }
    if (other !== undefined) onOther(other.report)
    noteBacklog(answer.backlog, request.after)
    failures = 0
    return answer
  }

  const noteFailure = (error: unknown): void => {
    failures += 1
    const level = failures === 1 || failures % 100 === 0 ? 'warn' : 'debug'
    log[level](
      { err: error, failures },
      'core or the engine cannot be asked who fills the analytics store; asking again',
    )
  }

  return {
    take: async (signal) => {
      for (;;) {
        signal.throwIfAborted()
        known = undefined
        const askedAtMs = performance.now()
        try {
          const answer = await ask(TTL_MS)
          if (answer.isHeld) return hold({ ask, noteFailure, pause }, answer, askedAtMs)
        } catch (error) {
          noteFailure(error)
          if (isTableMissing(error)) await openStore().catch(noteFailure) // the store was lost while this process ran
        }
        await pause(RETRY_MS, signal)
      }
    },
    othersReport: () =>
      other === undefined ? undefined : { report: other.report, ageMs: performance.now() - other.atMs },
    backlog: () => backlog,
    waitingMs: () => (waiting === undefined ? 0 : performance.now() - waiting.sinceMs),
    failures: () => failures,
  }
}
