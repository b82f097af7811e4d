/** Orders and line items under a scope: those of its markets and store, and for sales channels their own. */
import { READABLE_ORDER_STATUSES } from '@merx/access-token/sales-channel-permissions'
import type { RequestScope } from '../access/request-scope.ts'
import type { Visibility, VirtualRelationship } from '../engine/area.ts'
import type { Params } from '../engine/sql/params.ts'
import { visibilityOf, visibleThrough } from '../engine/sql/visible-rows.ts'

export const orderVisibility: Visibility = (alias, { scope, params }) => {
  const { markets, storeId, salesChannel } = scope
  const marketIds = markets?.map(({ id }) => id)
  return [
    ...(marketIds === undefined ? [] : [`${alias}.market_id = ANY(${params.add(marketIds, 'bigint[]')})`]),
    ...(storeId === undefined ? [] : [`${alias}.store_id = ${params.add(storeId, 'bigint')}`]),
    ...(salesChannel === undefined ? [] : ordersOf(alias, salesChannel, params)),
  ]
}

/** A customer sees their own orders in any status; a guest those not yet placed, and by setting only guests' orders. */
const ordersOf = (
  alias: string,
  { customerId, seesGuestOrdersOnly }: NonNullable<RequestScope['salesChannel']>,
  params: Params,
): readonly string[] => {
  if (customerId !== undefined) return [`${alias}.customer_id = ${params.add(customerId, 'bigint')}`]
  const readable = `${alias}.status = ANY(${params.add(READABLE_ORDER_STATUSES, 'text[]')})`
  return seesGuestOrdersOnly ? [readable, `(${alias}.guest OR ${alias}.customer_id IS NULL)`] : [readable]
}

/** A line item is visible when its order is. */
export const lineItemVisibility: Visibility = (alias, build) => {
  const ofOrder = visibilityOf('orders', 'its_order', build)
  if (ofOrder.length === 0) return []
  return [
    `EXISTS (SELECT 1 FROM orders AS its_order
      WHERE its_order.environment_id = ${build.params.environment} AND its_order.id = ${alias}.order_id
        AND ${ofOrder.join(' AND ')})`,
  ]
}

export const optionVisibility: Visibility = (alias, build) =>
  visibleThrough('line_items', 'line_item_id', alias, build)

/** `orders.line_item_options` */
export const optionsOfOrder: VirtualRelationship = ({ owner, target }, { params }) => [
  `EXISTS (SELECT 1 FROM line_items AS its_line
    WHERE its_line.environment_id = ${params.environment} AND its_line.id = ${target}.line_item_id
      AND its_line.order_id = ${owner}.id)`,
]

/** An error is visible when its order is. */
export const resourceErrorVisibility: Visibility = (alias, build) =>
  visibleThrough('orders', 'order_id', alias, build)
