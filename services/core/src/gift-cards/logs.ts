/** The two logs of a gift card: of changes by hand, and of orders. Each keeps the newest entries. */

interface BalanceEntry {
  readonly datetime: string
  readonly balance_change_cents: number
}

export interface UsageEntry {
  /** `use` takes from the card, `refund` gives back. */
  readonly action: 'use' | 'refund'
  /** Negative when it was taken. */
  readonly amount_cents: number
  /** What was on the card afterwards. */
  readonly balance_cents: number
  readonly order_number: string
  readonly datetime: string
}

type UsageLog = Readonly<Record<string, readonly UsageEntry[]>>

const BALANCE_ENTRIES_MAX = 100
const ORDERS_MAX = 100
/** Of one order. */
const USAGE_ENTRIES_MAX = 20

export const withBalanceEntry = (log: unknown, changeCents: number, now: Date): readonly BalanceEntry[] => {
  const earlier = log as readonly BalanceEntry[]
  const entry = { datetime: now.toISOString(), balance_change_cents: changeCents }
  return [...earlier, entry].slice(-BALANCE_ENTRIES_MAX)
}

/** `order` is its public id. */
export const withUsageEntry = (log: unknown, order: string, entry: UsageEntry): UsageLog => {
  const { [order]: own = [], ...others } = log as UsageLog
  const byTime = Object.entries(others).toSorted(([, one], [, other]) =>
    lastOf(one).localeCompare(lastOf(other)),
  )
  return {
    ...Object.fromEntries(byTime.slice(-(ORDERS_MAX - 1))),
    [order]: [...own, entry].slice(-USAGE_ENTRIES_MAX),
  }
}

const lastOf = (entries: readonly UsageEntry[]): string => entries.at(-1)?.datetime ?? ''
