/** What can be moved of a transaction of an order now: by the status of the order, and by what is left of it. */
import { triggersOf } from '../data/triggers.ts'

/** Trigger → the attribute with what is left. */
const LEFT: Readonly<Record<string, string>> = {
  _capture: 'capture_balance_cents',
  _void: 'void_balance_cents',
  _refund: 'refund_balance_cents',
}

export interface MoneyMove {
  readonly trigger: string
  readonly leftCents: number
}

export const moneyMoves = (transaction: object, orderStatus: string): readonly MoneyMove[] =>
  triggersOf('transactions', { order_status: orderStatus }).flatMap((trigger) => {
    const left = (transaction as Readonly<Record<string, unknown>>)[LEFT[trigger] ?? '']
    return typeof left === 'number' && left > 0 ? [{ trigger, leftCents: left }] : []
  })

interface Transaction {
  readonly type: string
  readonly succeeded?: boolean | null
  readonly amount_cents?: number | null
}

/** What succeeded of one type. */
export const sumOf = (transactions: readonly Transaction[], type: string): number =>
  transactions
    .filter((each) => each.type === type && each.succeeded === true)
    .reduce((sum, { amount_cents: cents }) => sum + (cents ?? 0), 0)
