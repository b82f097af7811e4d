/**
 * The statements behind order-documents.ts: what they select comes from the list of order fields, where it is joined from stands
 * here. $1 and $2 are the environments and the numbers of the orders.
 */
import {
  lineItemFields,
  optionFields,
  orderFields,
  refundFields,
  resourceErrorFields,
  returnFields,
  returnLineItemFields,
  shipmentFields,
  tagFields,
} from '@merx/order-feed/order-fields'
import { selectList } from './record-fields.ts'

const WANTED = 'unnest($1::bigint[], $2::bigint[]) AS wanted (environment_id, order_id)'

/** Everything an order has one of. */
export const ORDERS = `
  SELECT orders.environment_id,
    ${selectList(orderFields)}
  FROM ${WANTED}
  JOIN orders ON orders.environment_id = wanted.environment_id AND orders.id = wanted.order_id
  JOIN environments ON environments.id = orders.environment_id
  JOIN markets ON markets.environment_id = orders.environment_id AND markets.id = orders.market_id
  LEFT JOIN customers ON customers.environment_id = orders.environment_id AND customers.id = orders.customer_id
  LEFT JOIN customer_groups
    ON customer_groups.environment_id = orders.environment_id AND customer_groups.id = customers.customer_group_id
  LEFT JOIN addresses AS billing
    ON billing.environment_id = orders.environment_id AND billing.id = orders.billing_address_id
  LEFT JOIN addresses AS shipping
    ON shipping.environment_id = orders.environment_id AND shipping.id = orders.shipping_address_id
  LEFT JOIN payment_methods
    ON payment_methods.environment_id = orders.environment_id AND payment_methods.id = orders.payment_method_id`

export const LINE_ITEMS = `
  SELECT line_items.order_id,
    ${selectList(lineItemFields)}
  FROM ${WANTED} JOIN line_items USING (environment_id, order_id)
  ORDER BY line_items.id`

export const OPTIONS = `
  SELECT line_item_options.line_item_id,
    ${selectList(optionFields)}
  FROM ${WANTED} JOIN line_items USING (environment_id, order_id)
  JOIN line_item_options ON line_item_options.environment_id = line_items.environment_id
    AND line_item_options.line_item_id = line_items.id
  ORDER BY line_item_options.id`

export const SHIPMENTS = `
  SELECT shipments.order_id,
    ${selectList(shipmentFields)}
  FROM ${WANTED} JOIN shipments USING (environment_id, order_id)
  LEFT JOIN stock_locations ON stock_locations.environment_id = shipments.environment_id
    AND stock_locations.id = shipments.stock_location_id
  LEFT JOIN shipping_methods ON shipping_methods.environment_id = shipments.environment_id
    AND shipping_methods.id = shipments.shipping_method_id
  LEFT JOIN shipping_categories ON shipping_categories.environment_id = shipments.environment_id
    AND shipping_categories.id = shipments.shipping_category_id
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(items.sku_code ORDER BY items.id), '{}') AS codes,
      coalesce(sum(items.quantity), 0)::bigint AS units
    FROM stock_line_items AS items
    WHERE items.environment_id = shipments.environment_id AND items.shipment_id = shipments.id
  ) AS contents
  ORDER BY shipments.id`

export const REFUNDS = `
  SELECT refunds.order_id,
    ${selectList(refundFields)}
  FROM ${WANTED} JOIN transactions AS refunds USING (environment_id, order_id)
  WHERE refunds.type = 'refunds' AND refunds.succeeded
  ORDER BY refunds.id`

export const RETURNS = `
  SELECT returns.order_id,
    ${selectList(returnFields)}
  FROM ${WANTED} JOIN returns USING (environment_id, order_id)
  LEFT JOIN stock_locations ON stock_locations.environment_id = returns.environment_id
    AND stock_locations.id = returns.stock_location_id
  LEFT JOIN addresses AS origin
    ON origin.environment_id = returns.environment_id AND origin.id = returns.origin_address_id
  LEFT JOIN addresses AS destination
    ON destination.environment_id = returns.environment_id AND destination.id = returns.destination_address_id
  ORDER BY returns.id`

export const RETURN_LINE_ITEMS = `
  SELECT items.return_id,
    ${selectList(returnLineItemFields)}
  FROM ${WANTED} JOIN returns USING (environment_id, order_id)
  JOIN return_line_items AS items ON items.environment_id = returns.environment_id AND items.return_id = returns.id
  ORDER BY items.id`

/**
 * Tags of the orders, of their shipments and of their returns. Names are looked up last: there are few tags, and PostgreSQL
 * would rather try each of them with each order.
 */
export const TAGS = `
  WITH tagged AS MATERIALIZED (
    SELECT taggings.environment_id, taggings.tag_id,
      taggings.order_id, NULL::bigint AS shipment_id, NULL::bigint AS return_id
    FROM ${WANTED} JOIN taggings USING (environment_id, order_id)
    UNION ALL
    SELECT taggings.environment_id, taggings.tag_id, NULL, taggings.shipment_id, NULL
    FROM ${WANTED} JOIN shipments USING (environment_id, order_id)
    JOIN taggings ON taggings.environment_id = shipments.environment_id AND taggings.shipment_id = shipments.id
    UNION ALL
    SELECT taggings.environment_id, taggings.tag_id, NULL, NULL, taggings.return_id
    FROM ${WANTED} JOIN returns USING (environment_id, order_id)
    JOIN taggings ON taggings.environment_id = returns.environment_id AND taggings.return_id = returns.id
  )
  SELECT tagged.order_id, tagged.shipment_id, tagged.return_id,
    ${selectList(tagFields)}
  FROM tagged JOIN tags ON tags.environment_id = tagged.environment_id AND tags.id = tagged.tag_id
  ORDER BY tags.id`

export const RESOURCE_ERRORS = `
  SELECT resource_errors.order_id,
    ${selectList(resourceErrorFields)}
  FROM ${WANTED} JOIN resource_errors USING (environment_id, order_id)
  ORDER BY resource_errors.id`
