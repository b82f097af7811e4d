/**
 * The types that can be imported, as data (core-conventions.md 12.1): the columns that identify an existing record, and the
 * relationship that `parent_resource_id` sets.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import type { Registry } from '../../engine/registry.ts'
import type { ImportItem } from './import-item.ts'
import { isOfSameSku, isRepeatedLine, isSameLine } from './same-record.ts'
import { withPlacedAt } from './with-placed-at.ts'

/** Keys that no constraint of the database keeps unique, so that several records may have one, or none be meant by it. */
export interface NonUniqueKeys {
  /** The column whose target is locked before records are looked for, so that two imports do not both miss one. */
  readonly owner: { readonly column: string; readonly table: string }
  /** Whether an item can mean a record that has its key. */
  readonly isSame: (item: ImportItem, record: Row, registry: Registry) => boolean
  /** Whether a new record without a key looks as if it were there already. */
  readonly isRepeated: (record: Row, environmentId: number, run: RunStatement) => Promise<boolean>
}

export interface Importable {
  readonly type: string
  /** Sets of columns of which the first whose values are all known decides. */
  readonly keys: readonly (readonly string[])[]
  readonly nonUnique?: NonUniqueKeys
  /** What an item says that it leaves out, with a warning. `before` is the record it updates. */
  readonly complete?: (item: ImportItem, before: Row | undefined, now: Date) => ImportItem
  readonly parent?: string
  /** To-many relationships whose records can be nested in a new one, and are created with it. */
  readonly children?: readonly string[]
  /** An attribute that names the target of a relationship by its code, where a key needs the target itself. */
  readonly code?: { readonly attribute: string; readonly relationship: string }
}

export const IMPORTABLE: readonly Importable[] = [
  { type: 'addresses', keys: [] },
  // Of bundles without a market several may have a code that one of a market has; they are updated by their ids.
  { type: 'bundles', keys: [['code', 'market_id']], parent: 'market' },
  { type: 'coupons', keys: [['code', 'promotion_rule_id']], parent: 'promotion_rule' },
  { type: 'customer_addresses', keys: [], parent: 'customer' },
  { type: 'customer_payment_sources', keys: [], parent: 'customer' },
  { type: 'customer_subscriptions', keys: [['customer_email', 'reference']] },
  { type: 'customers', keys: [['email']] },
  { type: 'gift_cards', keys: [['code']], parent: 'market' },
  { type: 'line_item_options', keys: [], parent: 'line_item' },
  {
    type: 'line_items',
    keys: [['order_id', 'reference']],
    nonUnique: {
      owner: { column: 'order_id', table: 'orders' },
      isSame: isSameLine,
      isRepeated: isRepeatedLine,
    },
    parent: 'order',
  },
  {
    type: 'orders',
    keys: [['number']],
    parent: 'market',
    children: ['line_items'],
    complete: withPlacedAt,
  },
  { type: 'price_frequency_tiers', keys: [], parent: 'price' },
  { type: 'price_volume_tiers', keys: [], parent: 'price' },
  {
    type: 'prices',
    keys: [['sku_id', 'price_list_id']],
    parent: 'price_list',
    code: { attribute: 'sku_code', relationship: 'sku' },
  },
  { type: 'shipping_categories', keys: [['code']] },
  { type: 'skus', keys: [['code']], parent: 'shipping_category' },
  {
    type: 'stock_items',
    keys: [['sku_id', 'stock_location_id']],
    parent: 'stock_location',
    code: { attribute: 'sku_code', relationship: 'sku' },
  },
  {
    type: 'sku_list_items',
    keys: [['sku_list_id', 'sku_id']],
    parent: 'sku_list',
    code: { attribute: 'sku_code', relationship: 'sku' },
  },
  { type: 'sku_lists', keys: [], children: ['sku_list_items'] },
  { type: 'sku_options', keys: [], parent: 'market' },
  {
    type: 'stock_transfers',
    keys: [['number']],
    code: { attribute: 'sku_code', relationship: 'sku' },
  },
  { type: 'tags', keys: [['name']] },
  {
    type: 'tax_categories',
    // Several SKUs may have one code, which by itself is the key that clients know (ADR 104).
    keys: [
      ['sku_id', 'tax_calculator_id'],
      ['tax_calculator_id', 'code'],
    ],
    nonUnique: {
      owner: { column: 'tax_calculator_id', table: 'tax_calculators' },
      isSame: isOfSameSku,
      isRepeated: async () => false,
    },
    parent: 'tax_calculator',
    code: { attribute: 'sku_code', relationship: 'sku' },
  },
]

export const INPUTS_MAX = 10_000

/** Of one environment at once, pending or running (setting `imports_max_concurrent_count`). */
export const CONCURRENT_MAX = 10

export const findImportable = (type: unknown): Importable | undefined =>
  IMPORTABLE.find((candidate) => candidate.type === type)
