/**
 * The orders of load's shop: the recorded document over and over, with what queries group, filter and add up by made
 * different. Every value follows from the number of the order, so each run has the same shop.
 */
import type { OrderDocument, OrderLineItem } from '@merx/order-feed/order-document'
import { recordedDocument } from './recorded-core.ts'

const DAY_MS = 86_400_000
const SPAN_DAYS = 3 * 365
/** Orders are of the three years before it. */
export const DAY_AFTER = new Date('2026-01-01T00:00:00.000Z')
export const SKUS = 500
const STATUSES = ['approved', 'approved', 'approved', 'placed', 'cancelled', 'pending'] as const
const COUNTRIES = ['IT', 'US', 'DE', 'FR', 'GB', 'ES', 'NL', 'JP'] as const
const MARKETS = ['Europe', 'USA', 'UK', 'Outlet'] as const

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ID_LENGTH = 10

const [FEW, SOME, MANY] = [1_009, 7_919, 104_729] as const

const pick = <T>(values: readonly [T, ...T[]] | readonly T[], index: number): T =>
  values[index % values.length] as T

/** Ten letters, as public ids are; another ten for every kind of record. */
export const idOf = (kind: number, number: number): string => {
  let rest = number
  const letters = Array.from({ length: ID_LENGTH - 1 }, () => {
    const letter = LETTERS[rest % LETTERS.length] ?? 'a'
    rest = Math.floor(rest / LETTERS.length)
    return letter
  })
  return `${LETTERS[kind] ?? 'a'}${letters.join('')}`
}

export const skuId = (number: number): string => idOf(1, number % SKUS)

const lineOf = (recorded: OrderLineItem, order: number, at: number): OrderLineItem => {
  const sku = (order * FEW + at * SOME) % SKUS
  const [unit, quantity] = [500 + ((order * SOME + at * FEW) % 9_500), 1 + ((order + at) % 3)]
  return {
    ...recorded,
    id: idOf(2, order * 4 + at),
    item_id: skuId(sku),
    item_type: 'skus',
    code: `SKU-${String(sku).padStart(4, '0')}`,
    name: `Article ${sku}`,
    quantity,
    unit_amount_cents: unit,
    total_amount_cents: unit * quantity,
  }
}

const instants = (number: number, orders: number, status: string) => {
  const createdAt =
    DAY_AFTER.getTime() - SPAN_DAYS * DAY_MS + Math.floor((number / orders) * SPAN_DAYS * DAY_MS)
  const after = (ms: number): string => new Date(createdAt + ms).toISOString()
  const isPlaced = status !== 'pending'
  return {
    created_at: after(0),
    updated_at: after(3_600_000),
    placed_at: isPlaced ? after(600_000) : null,
    approved_at: status === 'approved' ? after(600_000 + ((number * MANY) % DAY_MS)) : null,
    cancelled_at: status === 'cancelled' ? after(DAY_MS) : null,
  }
}

/** Order `number` of a shop of so many; a higher version is a later state of it. */
export const documentOf = (number: number, orders: number, version: number): OrderDocument => {
  const recorded = recordedDocument()
  const [recordedLine] = recorded.line_items
  if (recordedLine === undefined) throw new Error('the recorded order has no line')
  const status = pick(STATUSES, number * SOME)
  const lines = Array.from({ length: 1 + (number % 4) }, (_, at) => lineOf(recordedLine, number, at))
  const total = lines.reduce((sum, line) => sum + line.total_amount_cents, 0)
  const market = number % MARKETS.length
  return {
    ...recorded,
    id: idOf(0, number),
    version,
    number: String(10_000_000 + number),
    reference: `version-${version}`,
    status,
    payment_status: status === 'approved' ? 'paid' : 'unpaid',
    country_code: pick(COUNTRIES, number * FEW),
    customer_type: number % 3 === 0 ? 'new' : 'returning',
    market: { id: idOf(3, market), name: pick(MARKETS, market), number: market + 1 },
    ...instants(number, orders, status),
    skus_count: lines.length,
    line_items: lines,
    amounts: { ...recorded.amounts, subtotal: total, total, total_taxable: total, total_with_taxes: total },
  }
}
