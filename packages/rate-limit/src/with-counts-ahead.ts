/**
 * Answers at once while a key is far under its budget, and tells the exact window of it some milliseconds later, one
 * command for all requests of that time. Near the budget, or when too little is known, the exact window answers
 * (docs/adr/0026-limits-counted-ahead.md says what this can admit too much, and when).
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Window } from './budgets.ts'
import type { Count, CountingWindow } from './counting-window.ts'

/** Ahead only up to this part of the budget, by all that is known. */
const COUNTED_PART_MAX = 1 / 2
/** Of the budget, how much may be admitted without the exact window knowing. */
const UNTOLD_PART_MAX = 1 / 10
/** How old the last answer of the exact window may be. */
const FRESH_MS = 1_000
/** How long requests are held back before the exact window is told. */
const HELD_MS = 25
/** Beyond it, keys asked for longest ago are forgotten; the next request of theirs is counted exactly. */
const KEYS_MAX = 50_000
/** What one command can count (sliding-window-script.ts). */
const TOLD_AT_ONCE_MAX = 500

/** What is known of one key. */
export interface Account {
  readonly key: string
  /** As the exact window answered last, … */
  counted: number
  /** … by a question of this time, Unix milliseconds. */
  asOfMs: number
  /** Admitted, and not told yet, … */
  held: number
  /** … at these times, Unix milliseconds, oldest first. */
  moments: { readonly atMs: number; requests: number }[]
  /** Told, and not answered yet. */
  unanswered: number
}

const totalOf = ({ counted, held, unanswered }: Account): number => counted + held + unanswered

const isIdle = ({ held, unanswered }: Account): boolean => held === 0 && unanswered === 0

const createAccounts = () => {
  /** Asked for longest ago first. */
  const byKey = new Map<string, Account>()
  return {
    find: (key: string): Account | undefined => byKey.get(key),
    /** The account of a key, from now on the one asked for last. */
    touch: (key: string): Account => {
      const fresh = { key, counted: 0, asOfMs: -Infinity, held: 0, moments: [], unanswered: 0 }
      const account = byKey.get(key) ?? fresh
      byKey.delete(key)
      byKey.set(key, account)
      return account
    },
    /** Stops at the first that stays, so it costs nothing to call it often. */
    forgetStale: (nowMs: number): void => {
      for (const [key, account] of byKey) {
        const isOver = nowMs - account.asOfMs > FRESH_MS || byKey.size > KEYS_MAX
        if (!isOver || !isIdle(account)) return
        byKey.delete(key)
      }
    },
  }
}

export interface AheadWindow {
  readonly window: Window
  /** The account of a key that has room for one more; undefined when only the exact window can tell. */
  findRoom(key: string, nowMs: number): Account | undefined
  /** Counts a request in an account that findRoom gave in this turn. @returns what remains of the budget */
  take(account: Account, nowMs: number): number
  /** Counts a request exactly, after all that was taken before. */
  count(key: string): Promise<Count>
}

export interface AheadOptions {
  readonly clock: Clock
  /** Whether the exact window counts in this process just now: then there is nobody to be ahead of. */
  readonly isAway: () => boolean
}

export const withCountsAhead = (exact: CountingWindow, { clock, isAway }: AheadOptions): AheadWindow => {
  const { points } = exact.window
  const countedMax = Math.floor(points * COUNTED_PART_MAX)
  const untoldMax = Math.max(1, Math.floor(points * UNTOLD_PART_MAX))
  const accounts = createAccounts()
  const holding = new Set<Account>()
  let timer: NodeJS.Timeout | undefined

  const ask = async (account: Account, requests: number, question: () => Promise<Count>): Promise<Count> => {
    const askedAtMs = clock.now().getTime()
    account.unanswered += requests
    try {
      const count = await question()
      account.counted = count.counted
      account.asOfMs = isAway() ? -Infinity : askedAtMs
      return count
    } finally {
      account.unanswered -= requests
    }
  }

  /** What cannot be told is counted by the insurance of the exact window, which never rejects. */
  const tell = (account: Account): void => {
    const { key, held, moments } = account
    if (held === 0) return
    account.held = 0
    account.moments = []
    holding.delete(account)
    const nowMs = clock.now().getTime()
    const groups = moments.map(({ atMs, requests }) => ({ ageMs: Math.max(0, nowMs - atMs), requests }))
    void ask(account, held, () => exact.countEarlier(key, groups))
  }

  const tellAll = (): void => {
    timer = undefined
    for (const account of holding) tell(account)
  }

  return {
    window: exact.window,
    findRoom: (key, nowMs) => {
      const account = accounts.find(key)
      if (account === undefined || isAway()) return undefined
      const ageMs = nowMs - account.asOfMs
      if (ageMs > FRESH_MS || ageMs < 0) return undefined
      const hasRoom = totalOf(account) < countedMax && account.held + account.unanswered < untoldMax
      return hasRoom ? account : undefined
    },
    take: (account, nowMs) => {
      const moment = account.moments.at(-1)
      if (moment?.atMs === nowMs) moment.requests += 1
      else account.moments.push({ atMs: nowMs, requests: 1 })
      account.held += 1
      if (account.held === 1) holding.add(account)
      if (account.held === TOLD_AT_ONCE_MAX) tell(account)
      timer ??= setTimeout(tellAll, HELD_MS).unref()
      return points - totalOf(account)
    },
    count: (key) => {
      const account = accounts.touch(key)
      tell(account)
      const count = ask(account, 1, () => exact.count(key))
      accounts.forgetStale(clock.now().getTime())
      return count
    },
  }
}
