/** The statements behind order-documents.ts. $1 and $2 are the environments and the numbers of the orders. */
import type { AddressRow } from './document-rows.ts'

const WANTED = 'unnest($1::bigint[], $2::bigint[]) AS wanted (environment_id, order_id)'

const named = (table: string, columns: string): string =>
  columns
    .trim()
    .split(/\s+/)
    .map((column) => `${table}.${column}`)
    .join(', ')

const ADDRESS_MEMBERS = [
  'business',
  'first_name',
  'last_name',
  'company',
  'city',
  'country_code',
  'state_code',
  'zip_code',
  'lat',
  'lng',
  'is_geocoded',
] as const satisfies readonly (keyof AddressRow)[]

/** What documents show of an address, by name: a whole row as JSON takes ten times as long. */
const addressOf = (alias: string): string => {
  const members = ADDRESS_MEMBERS.map((member) => `'${member}', ${alias}.${member}`).join(', ')
  return `CASE WHEN ${alias}.id IS NOT NULL THEN json_build_object(${members}) END`
}

const ORDER_COLUMNS = `
  environment_id id version number reference reference_origin status payment_status fulfillment_status currency_code
  language_code country_code coupon_code gift_card_code affiliate_code customer_type guest tax_included freight_taxable
  link_id user_id store_id skus_count line_item_options_count shipments_count created_at updated_at placed_at approved_at
  cancelled_at archived_at payment_updated_at fulfillment_updated_at market_id customer_id payment_method_id
  payment_source_details subtotal_amount_cents subtotal_tax_amount_cents subtotal_taxable_amount_cents
  shipping_amount_cents shipping_taxable_amount_cents payment_method_amount_cents payment_method_tax_amount_cents
  payment_method_taxable_amount_cents adjustment_amount_cents adjustment_tax_amount_cents adjustment_taxable_amount_cents
  discount_amount_cents gift_card_amount_cents duty_amount_cents total_amount_cents total_tax_amount_cents
  total_taxable_amount_cents total_amount_with_taxes_cents`

/** Everything an order has one of. */
export const ORDERS = `
  SELECT ${named('orders', ORDER_COLUMNS)},
    environments.organization_id, environments.mode, environments.slug AS organization_slug,
    environments.name AS organization_name,
    markets.name AS market_name, markets.number AS market_number,
    customers.email AS buyer_email, customers.reference AS buyer_reference,
    customers.reference_origin AS buyer_reference_origin, customer_groups.name AS buyer_group_name,
    ${addressOf('billing')} AS billing_address, ${addressOf('shipping')} AS shipping_address,
    payment_methods.name AS payment_method_name, payment_methods.payment_source_type AS payment_method_source_type,
    payment_methods.moto AS payment_method_moto
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
  SELECT line_items.id, line_items.order_id, line_items.item_type, line_items.item_id,
    coalesce(line_items.sku_code, line_items.bundle_code, line_items.coupon_code) AS code, line_items.name,
    line_items.quantity, line_items.unit_amount_cents, line_items.options_amount_cents,
    line_items.total_amount_cents, line_items.tax_amount_cents, line_items.discount_cents,
    trim_scale(line_items.tax_rate)::text AS tax_rate, line_items.updated_at
  FROM ${WANTED} JOIN line_items USING (environment_id, order_id)
  ORDER BY line_items.id`

export const OPTIONS = `
  SELECT line_item_options.id, line_item_options.line_item_id, line_item_options.name, line_item_options.quantity,
    line_item_options.unit_amount_cents, line_item_options.total_amount_cents
  FROM ${WANTED} JOIN line_items USING (environment_id, order_id)
  JOIN line_item_options ON line_item_options.environment_id = line_items.environment_id
    AND line_item_options.line_item_id = line_items.id
  ORDER BY line_item_options.id`

export const SHIPMENTS = `
  SELECT shipments.id, shipments.order_id, shipments.number, shipments.status, shipments.reference,
    shipments.reference_origin, shipments.cost_amount_cents, shipments.created_at, shipments.updated_at,
    shipments.on_hold_at, shipments.picking_at, shipments.packing_at, shipments.ready_to_ship_at, shipments.shipped_at,
    shipments.delivered_at, shipments.cancelled_at,
    shipments.stock_location_id, stock_locations.name AS stock_location_name,
    stock_locations.reference AS stock_location_reference,
    stock_locations.reference_origin AS stock_location_reference_origin,
    shipments.shipping_method_id, shipping_methods.name AS shipping_method_name,
    shipping_methods.reference AS shipping_method_reference,
    shipping_methods.reference_origin AS shipping_method_reference_origin,
    shipping_methods.currency_code AS shipping_method_currency_code,
    shipments.shipping_category_id, shipping_categories.name AS shipping_category_name,
    shipping_categories.reference AS shipping_category_reference,
    shipping_categories.reference_origin AS shipping_category_reference_origin,
    contents.codes, contents.units
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
  SELECT refunds.id, refunds.order_id, refunds.number, refunds.amount_cents
  FROM ${WANTED} JOIN refunds USING (environment_id, order_id)
  ORDER BY refunds.id`

export const RETURNS = `
  SELECT returns.*, stock_locations.name AS stock_location_name,
    stock_locations.reference AS stock_location_reference,
    stock_locations.reference_origin AS stock_location_reference_origin,
    ${addressOf('origin')} AS origin_address, ${addressOf('destination')} AS destination_address
  FROM ${WANTED} JOIN returns USING (environment_id, order_id)
  LEFT JOIN stock_locations ON stock_locations.environment_id = returns.environment_id
    AND stock_locations.id = returns.stock_location_id
  LEFT JOIN addresses AS origin
    ON origin.environment_id = returns.environment_id AND origin.id = returns.origin_address_id
  LEFT JOIN addresses AS destination
    ON destination.environment_id = returns.environment_id AND destination.id = returns.destination_address_id
  ORDER BY returns.id`

export const RETURN_LINE_ITEMS = `
  SELECT items.id, items.return_id, items.line_item_id, items.quantity, items.created_at, items.updated_at,
    items.restocked_at
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
  SELECT tagged.order_id, tagged.shipment_id, tagged.return_id, tags.id, tags.name
  FROM tagged JOIN tags ON tags.environment_id = tagged.environment_id AND tags.id = tagged.tag_id
  ORDER BY tags.id`

export const RESOURCE_ERRORS = `
  SELECT resource_errors.id, resource_errors.order_id, resource_errors.code, resource_errors.name,
    resource_errors.message, resource_errors.created_at, resource_errors.updated_at
  FROM ${WANTED} JOIN resource_errors USING (environment_id, order_id)
  ORDER BY resource_errors.id`
