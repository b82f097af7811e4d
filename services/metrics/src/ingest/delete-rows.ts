/** Rows that the feed says are no more → rows of a higher version that are marked deleted, written from those they replace. */
import type { OrderFeedEntry } from '@merx/order-feed/order-document'
import type { Statement } from '../sql/statement.ts'

/** A deletion knows no creation date, which is part of the sorting key. */
const DELETE_ORDERS = `INSERT INTO orders (organization_id, mode, created_at, id, version, is_deleted)
SELECT organization_id, mode, created_at, id, {versions:Array(UInt64)}[indexOf({orders:Array(String)}, id)], 1
FROM orders FINAL
WHERE organization_id = {organization_id:String} AND mode = {mode:String} AND id IN {orders:Array(String)}`

/** Returns that the document of their order does not have any more, or that went with their order. */
const DELETE_RETURNS = `INSERT INTO returns (organization_id, mode, order_id, id, version, is_deleted)
SELECT organization_id, mode, order_id, id, {versions:Array(UInt64)}[indexOf({orders:Array(String)}, order_id)], 1
FROM returns FINAL
WHERE organization_id = {organization_id:String} AND mode = {mode:String} AND order_id IN {orders:Array(String)}
AND id NOT IN {kept:Array(String)}`

interface OrderState {
  readonly organizationId: string
  readonly mode: string
  readonly id: string
  readonly version: number
  /** Ids of the returns that it has. */
  readonly returns: readonly string[]
  readonly isDeleted: boolean
}

const stateOf = (entry: OrderFeedEntry): OrderState => {
  if (entry.kind === 'delete') {
    const { organization_id: organizationId, mode, id, version } = entry
    return { organizationId, mode, id, version, returns: [], isDeleted: true }
  }
  const { organization, mode, id, version, returns } = entry.document
  const kept = returns.map((one) => one.id)
  return { organizationId: organization.id, mode, id, version, returns: kept, isDeleted: false }
}

const byEnvironment = (states: readonly OrderState[]): readonly (readonly OrderState[])[] => [
  ...Map.groupBy(states, ({ organizationId, mode }) => `${organizationId} ${mode}`).values(),
]

const paramsOf = (states: readonly OrderState[]) => ({
  organization_id: states[0]?.organizationId ?? '',
  mode: states[0]?.mode ?? '',
  orders: states.map(({ id }) => id),
  versions: states.map(({ version }) => version),
})

/** An order in its first version never was another, so the store can have no return of it that is gone. */
const FIRST_VERSION = 1

/** Marks the returns that none of the entries has any more. */
export const deleteGoneReturns = (entries: readonly OrderFeedEntry[]): readonly Statement[] =>
  byEnvironment(entries.map(stateOf).filter(({ version }) => version > FIRST_VERSION)).map((states) => ({
    text: DELETE_RETURNS,
    params: { ...paramsOf(states), kept: states.flatMap(({ returns }) => returns) },
  }))

/** Marks the orders that the entries delete. */
export const deleteGoneOrders = (entries: readonly OrderFeedEntry[]): readonly Statement[] =>
  byEnvironment(entries.map(stateOf).filter(({ isDeleted }) => isDeleted)).map((states) => ({
    text: DELETE_ORDERS,
    params: paramsOf(states),
  }))
