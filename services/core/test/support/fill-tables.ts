/**
 * A row for every type that has none, in both shops of seedShop: made from what PostgreSQL and the definitions say of
 * its columns, so that suites over all resources have something to find the day a resource is defined.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Pool } from 'pg'
import { ENVIRONMENTS } from './seed-shop.ts'

interface Column {
  readonly name: string
  readonly type: string
  /** The table a foreign key leads to. */
  readonly target: string | null
}

/** SQL of a value, with the environment as $1. */
interface Expression {
  readonly sql: string
}

const authorization: Expression = {
  sql: "SELECT min(id) AS value FROM transactions WHERE environment_id = $1 AND type = 'authorizations'",
}

const couponRule: Expression = {
  sql: `SELECT min(id) AS value FROM promotion_rules
    WHERE environment_id = $1 AND type = 'coupon_codes_promotion_rules'`,
}

const firstSkuCode: Expression = {
  sql: 'SELECT code AS value FROM skus WHERE environment_id = $1 ORDER BY id LIMIT 1',
}

const firstSku: Expression = {
  sql: 'SELECT min(id) AS value FROM skus WHERE environment_id = $1',
}

const subscriptionModel: Expression = {
  sql: 'SELECT min(id) AS value FROM subscription_models WHERE environment_id = $1',
}

const placedOrder: Expression = {
  sql: "SELECT min(id) AS value FROM orders WHERE environment_id = $1 AND status = 'placed'",
}

/** By table or type: values that only the type's own rules know. A type whose row cannot be made belongs here, or into seedShop. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  versions: { resource_type: 'orders', event: 'update' },
  events: { resource_type: 'orders' },
  attachments: { attachable_type: 'orders' },
  cleanups: { resource_type: 'skus' },
  links: { item_type: 'orders', expires_at: '2027-01-01T00:00:00Z' },
  notifications: { notifiable_type: 'orders' },
  resource_errors: { resource_type: 'orders' },
  imports: { resource_type: 'skus' },
  exports: { resource_type: 'skus' },
  customer_addresses: { customer_email: 'ada@example.com' },
  customer_password_resets: { customer_email: 'ada@example.com' },
  customer_subscriptions: { customer_email: 'ada@example.com' },
  payment_options: { payment_source_type: 'wire_transfers', data: {} },
  // A tier has the currency of its method.
  shipments: { currency_code: 'EUR' },
  shipping_methods: { currency_code: 'EUR' },
  shipping_weight_tiers: { currency_code: 'EUR' },
  authorizations: { currency_code: 'EUR' },
  captures: { currency_code: 'EUR', reference_authorization_id: authorization },
  voids: { currency_code: 'EUR', reference_authorization_id: authorization },
  refunds: { currency_code: 'EUR' },
  line_item_options: { currency_code: 'EUR' },
  adjustments: { currency_code: 'EUR' },
  price_tiers: { currency_code: 'EUR' },
  sku_options: { currency_code: 'EUR' },
  sku_lists: { slug: 'list' },
  bundles: {
    currency_code: 'EUR',
    do_not_ship: false,
    do_not_track: false,
    price_amount_cents: 100,
    skus_count: 1,
  },
  sku_list_items: { sku_code: firstSkuCode },
  tax_categories: { sku_code: firstSkuCode },
  // Items belong to a subscription that has a model.
  order_subscriptions: {
    frequency: 'monthly',
    source_order_id: placedOrder,
    subscription_model_id: subscriptionModel,
    number: 'S1',
  },
  order_subscription_items: {
    currency_code: 'EUR',
    item_type: 'skus',
    item_id: firstSku,
    sku_code: firstSkuCode,
    unit_amount_cents: 100,
  },
  subscription_models: { frequencies: '["monthly"]' },
  in_stock_subscriptions: { customer_email: 'ada@example.com', sku_code: firstSkuCode },
  price_list_schedulers: { expires_at: '2027-01-01T00:00:00Z' },
  promotions: { currency_code: 'EUR', expires_at: '2027-01-01T00:00:00Z' },
  coupons: { promotion_rule_id: couponRule },
  gift_cards: { currency_code: 'EUR' },
}

const FILLED_COLUMNS = `
  SELECT c.column_name AS name, c.data_type AS type, (
    SELECT target.relname FROM pg_constraint AS key
    JOIN pg_class AS target ON target.oid = key.confrelid
    JOIN pg_attribute AS part ON part.attrelid = key.conrelid AND part.attnum = ANY(key.conkey)
    WHERE key.contype = 'f' AND key.conrelid = c.table_name::regclass AND part.attname = c.column_name
      AND target.relname <> 'environments'
    LIMIT 1) AS target
  FROM information_schema.columns AS c
  WHERE c.table_schema = 'public' AND c.table_name = $1 AND c.column_name <> 'environment_id'
    AND (c.column_name = ANY($2) OR c.is_nullable = 'NO' AND c.column_default IS NULL AND c.is_identity = 'NO')`

/** What others refer to is filled first, in whatever order the definitions are given. */
export const fillTables = async (pool: Pool, definitions: readonly ResourceDefinition[]): Promise<void> => {
  for (const definition of definitions) {
    if (definition.isSingleton || definition.abstract !== undefined) continue
    for (const environment of [ENVIRONMENTS.test, ENVIRONMENTS.other])
      await fillTable(pool, definition, environment, definitions)
  }
}

const fillTable = async (
  pool: Pool,
  definition: ResourceDefinition,
  environment: number,
  definitions: readonly ResourceDefinition[],
): Promise<void> => {
  const { table, type, memberOf } = definition
  const typeColumn = definitions.find((one) => one.type === memberOf)?.abstract?.typeColumn
  const found = await pool.query(
    `SELECT 1 FROM ${table} WHERE environment_id = $1 ${typeColumn === undefined ? '' : `AND ${typeColumn} = '${type}'`} LIMIT 1`,
    [environment],
  )
  if (found.rows.length > 0) return
  const known = {
    ...KNOWN[table],
    ...KNOWN[type],
    ...(typeColumn === undefined ? {} : { [typeColumn]: type }),
  }
  const { rows: columns } = await pool.query<Column>(FILLED_COLUMNS, [table, Object.keys(known)])
  const names = columns.map(({ name }) => name)
  const values: unknown[] = []
  for (const { target } of columns) {
    const wanted = definitions.find((one) => one.table === target && one.abstract === undefined)
    if (wanted !== undefined && target !== table) await fillTable(pool, wanted, environment, definitions)
  }
  for (const column of columns) values.push(await valueOf(column, definition, known, environment, pool))
  const places = ['$1', ...names.map((_name, at) => `$${at + 2}`)]
  await pool
    .query(
      `INSERT INTO ${table} (${['environment_id', ...names].join(', ')}) VALUES (${places.join(', ')})`,
      [environment, ...values],
    )
    .catch((cause: unknown) => {
      throw new Error(`no row of ${definition.type} could be made; see KNOWN in fill-tables.ts`, { cause })
    })
}

const valueOf = async (
  { name, type, target }: Column,
  { type: resource, attributes }: ResourceDefinition,
  knownValues: Readonly<Record<string, unknown>>,
  environment: number,
  pool: Pool,
): Promise<unknown> => {
  const known = knownValues[name]
  if (isExpression(known)) {
    const { rows } = await pool.query<{ value: unknown }>(known.sql, [environment])
    return rows[0]?.value
  }
  if (known !== undefined) return known
  if (target !== null) {
    const { rows } = await pool.query<{ id: number }>(
      `SELECT min(id) AS id FROM ${target} WHERE environment_id = $1`,
      [environment],
    )
    return rows[0]?.id
  }
  const [first] = attributes[name]?.values ?? []
  if (first !== undefined) return first
  switch (type) {
    case 'bigint': // of a record that no foreign key can name: the shop's first
      return environment === ENVIRONMENTS.other ? 1001 : 1
    case 'integer':
    case 'numeric':
    case 'double precision':
      return 1
    case 'boolean':
      return false
    case 'jsonb':
      return attributes[name]?.kind === 'list' ? '[]' : '{}'
    case 'timestamp with time zone':
      return new Date('2026-01-01T00:00:00Z')
    default:
      return `${resource}-${environment}`
  }
}

const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'sql' in value
