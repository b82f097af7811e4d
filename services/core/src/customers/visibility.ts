/** Customers and addresses that a sales channel sees; other callers see all of the environment. */
import type { Visibility } from '../engine/area.ts'
import { visibilityOf } from '../engine/sql/visible-rows.ts'

/** A customer sees only themselves; a guest sees who orders, of the orders it sees. */
export const customerVisibility: Visibility = (alias, build) => {
  const { params, scope } = build
  if (scope.salesChannel === undefined) return []
  const { customerId } = scope.salesChannel
  if (customerId !== undefined) return [`${alias}.id = ${params.add(customerId, 'bigint')}`]
  const ofOrder = visibilityOf('orders', 'its_order', build)
  return [
    `EXISTS (SELECT 1 FROM orders AS its_order
      WHERE its_order.environment_id = ${params.environment} AND its_order.customer_id = ${alias}.id
        AND ${ofOrder.join(' AND ')})`,
  ]
}

/** A customer sees the group they are in, a guest none. */
export const customerGroupVisibility: Visibility = (alias, { scope: { salesChannel }, params }) => {
  if (salesChannel === undefined) return []
  if (salesChannel.customerId === undefined) return ['false']
  return [
    `EXISTS (SELECT 1 FROM customers AS its_customer
      WHERE its_customer.environment_id = ${params.environment} AND its_customer.customer_group_id = ${alias}.id
        AND its_customer.id = ${params.add(salesChannel.customerId, 'bigint')})`,
  ]
}

/** A customer sees their own records; a guest sees none. */
export const ofCustomerVisibility: Visibility = (alias, { scope: { salesChannel }, params }) => {
  if (salesChannel === undefined) return []
  if (salesChannel.customerId === undefined) return ['false']
  return [`${alias}.customer_id = ${params.add(salesChannel.customerId, 'bigint')}`]
}

/** A guest has no account, so the subscriptions that it knows the id of are of customers without a password. */
export const subscriptionVisibility: Visibility = (alias, build) => {
  const { salesChannel } = build.scope
  if (salesChannel === undefined || salesChannel.customerId !== undefined)
    return ofCustomerVisibility(alias, build)
  return [
    `EXISTS (SELECT 1 FROM customers AS its_customer
      WHERE its_customer.environment_id = ${build.params.environment} AND its_customer.id = ${alias}.customer_id
        AND its_customer.password_hash IS NULL)`,
  ]
}

/**
 * An address is visible unless it belongs to the shop itself, to an order that the sales channel does not see, or to
 * another customer.
 */
export const addressVisibility: Visibility = (alias, build) => {
  const { scope, params } = build
  if (scope.salesChannel === undefined) return []
  const seen = visibilityOf('orders', 'its_order', build).join(' AND ')
  const ofOrder = (column: string): string => `NOT EXISTS (SELECT 1 FROM orders AS its_order
    WHERE its_order.environment_id = ${params.environment} AND its_order.${column} = ${alias}.id
      AND (${seen}) IS NOT TRUE)`
  const ofShop = (table: string): string => `NOT EXISTS (SELECT 1 FROM ${table} AS its_owner
    WHERE its_owner.environment_id = ${params.environment} AND its_owner.address_id = ${alias}.id)`
  const own = params.add(scope.salesChannel.customerId ?? null, 'bigint')
  return [
    `NOT EXISTS (SELECT 1 FROM customer_addresses AS its_owner
      WHERE its_owner.environment_id = ${params.environment} AND its_owner.address_id = ${alias}.id
        AND its_owner.customer_id IS DISTINCT FROM ${own})`,
    ofShop('merchants'),
    ofShop('stock_locations'),
    ofOrder('shipping_address_id'),
    ofOrder('billing_address_id'),
  ]
}
