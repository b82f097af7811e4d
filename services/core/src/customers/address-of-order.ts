/** An address is part of what was agreed once its order is placed: from then on no sales channel changes it. */
import { WRITABLE_ORDER_STATUSES } from '@merx/access-token/sales-channel-permissions'
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RowFinder } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'

const OF_ORDERS = ['billing_address_id', 'shipping_address_id'] as const

/** How many placed orders, and shipments of them, have the address. */
const countPlaced = async (address: Row, find: RowFinder): Promise<number> => {
  const { id } = rowOf('Address', address)
  const countBesides = async (type: string, column: string, open: readonly string[]): Promise<number> => {
    const all = await find.count(type, { [column]: id })
    const ofOpen = await Promise.all(open.map((status) => find.count(type, { [column]: id, status })))
    return all - ofOpen.reduce((sum, count) => sum + count, 0)
  }
  const counts = await Promise.all([
    ...OF_ORDERS.map((column) => countBesides('orders', column, WRITABLE_ORDER_STATUSES)),
    countBesides('shipments', 'shipping_address_id', ['draft']),
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}

export const addressOfOrder: Rule = async ({ before, find, writer }) => {
  if (before === undefined || !writer.isSalesChannel || (await countPlaced(before, find)) === 0) return {}
  throw new AppError('unauthorized', {
    detail: `The address is of an order that is not ${WRITABLE_ORDER_STATUSES.join(' or ')} any more.`,
  })
}
