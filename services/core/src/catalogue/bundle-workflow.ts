/** Writes of bundles: of which list they are made, in which currency, and what they cost (docs/adr/0120). */
import type { Row } from '@merx/jsonapi/attributes'
import { amountCentsMaxOf } from '@merx/jsonapi/money'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { Completion, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'
import { priceInForce } from './price-in-force.ts'

/** The items of the list, with what their SKUs cost in a market; the SKUs do not change until the bundle is there. */
const ITEMS = `SELECT items.sku_code, items.quantity, skus.do_not_ship, skus.do_not_track, prices.amount_cents
  FROM sku_list_items AS items
  JOIN skus ON skus.environment_id = $1 AND skus.id = items.sku_id
  LEFT JOIN markets ON markets.environment_id = $1 AND markets.id = $3
  LEFT JOIN ${priceInForce({ sku: 'skus.id', currency: '$4' })} ON true
  WHERE items.environment_id = $1 AND items.sku_list_id = $2
  ORDER BY skus.id FOR SHARE OF skus`

type ItemRow = Pick<RowOf<'SkuListItem'>, 'sku_code' | 'quantity'> &
  Pick<RowOf<'Sku'>, 'do_not_ship' | 'do_not_track'> & { readonly amount_cents: number | null }

type PriceList = Pick<RowOf<'PriceList'>, 'currency_code'>

/** A number of units in an order line is an integer of 32 bits. */
const UNITS_MAX = 2_147_483_647

export const bundleWorkflow: WriteWorkflow = {
  completesFrom: ['market', 'sku_list', 'currency_code', 'price_amount_cents', 'compare_at_amount_cents'],

  complete: async (after, before, request, step): Promise<Completion> => {
    const priceList = await priceListOf(after, step)
    const list = await lockList(after, before, step)
    const currency = currencyOf(after, priceList)
    const isComputed = AMOUNTS.some(({ trigger }) => request.triggers.has(trigger))
    const items = before === undefined || isComputed ? await readItems(after, currency, step) : []
    const made = before === undefined ? await toParts(list, items, step) : {}
    const priced = amountsOf(after, before, request, { items, priceList, currency })
    const violations = [
      ...violationsOfCurrency(after, before, request, priceList),
      ...(made.violations ?? []),
      ...(priced.violations ?? []),
    ]
    if (violations.length > 0) return { violations }
    return { set: { currency_code: currency, ...made.set, ...priced.set } }
  },
}

const priceListOf = async (bundle: Row, { run, scope }: WorkflowStep): Promise<PriceList | undefined> => {
  const { market_id: market = null } = columnsOf('Bundle', bundle)
  if (market === null) return undefined
  const text = `SELECT lists.currency_code FROM markets
    JOIN price_lists AS lists ON lists.environment_id = $1 AND lists.id = markets.price_list_id
    WHERE markets.environment_id = $1 AND markets.id = $2`
  return (await run<PriceList>({ text, values: [scope.environmentId, market] }))[0]
}

/** Whoever writes items locks their list too, so that they stay as they are until the bundle is there. */
const lockList = async (
  bundle: Row,
  before: Row | undefined,
  { run, scope }: WorkflowStep,
): Promise<RowOf<'SkuList'> | undefined> => {
  if (before !== undefined) return undefined
  const text = 'SELECT * FROM sku_lists WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'
  const [list] = await run({ text, values: [scope.environmentId, bundle['sku_list_id']] })
  return list === undefined ? undefined : rowOf('SkuList', list)
}

const readItems = (
  bundle: Row,
  currency: string | undefined,
  { run, scope }: WorkflowStep,
): Promise<readonly ItemRow[]> =>
  run<ItemRow>({
    text: ITEMS,
    values: [scope.environmentId, bundle['sku_list_id'], bundle['market_id'] ?? null, currency ?? null],
  })

/** What follows from the items of its list, or why no bundle is made of it. */
const toParts = async (
  list: RowOf<'SkuList'> | undefined,
  items: readonly ItemRow[],
  step: WorkflowStep,
): Promise<Completion> => {
  const at = { relationship: 'sku_list' }
  const refuse = (error: string, message: string, count?: number): Completion => ({
    violations: [{ at, error, message, ...(count === undefined ? {} : { value: items.length, count }) }],
  })
  if (list?.manual !== true)
    return refuse('invalid', 'must be a list by hand: what is in a bundle does not change')
  if (list.customer_id !== null) return refuse('invalid', 'must be a list of the shop, not of a customer')
  if (items.length === 0) return refuse('blank', 'must have items')
  const max = Number(await readSetting('bundles_max_items_count', step))
  if (items.length > max)
    return refuse('less_than_or_equal_to', `has ${items.length} items; a bundle has at most ${max}`, max)
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0)
  if (units > UNITS_MAX) return refuse('less_than_or_equal_to', `has more than ${UNITS_MAX} units`)
  return {
    set: {
      skus_count: units,
      do_not_ship: items.every((item) => item.do_not_ship),
      do_not_track: items.every((item) => item.do_not_track),
    },
  }
}

const currencyOf = (bundle: Row, priceList: PriceList | undefined): string | undefined =>
  priceList?.currency_code ?? columnsOf('Bundle', bundle).currency_code

/** Of a market, its currency; without one, the currency is said, and with another one the amounts are said again. */
const violationsOfCurrency = (
  after: Row,
  before: Row | undefined,
  request: WriteRequest,
  priceList: PriceList | undefined,
): readonly WriteViolation[] => {
  const at = { attribute: 'currency_code' }
  const { currency_code: code = null } = columnsOf('Bundle', after)
  const { currency_code: old } = columnsOf('Bundle', before ?? {})
  if (priceList === undefined && code === null)
    return [{ at, error: 'blank', message: "can't be blank, unless a market is given" }]
  const sent = sentNames(request)
  const isOther = priceList !== undefined && code !== null && code !== priceList.currency_code
  if (isOther && sent.has('currency_code')) {
    const message = `must be ${priceList.currency_code}, the currency of the market, or left out`
    return [{ at, error: 'currency_mismatch', message, value: code }]
  }
  const currency = priceList?.currency_code ?? code
  if (old === undefined || old === currency) return []
  return AMOUNTS.filter(
    ({ attribute, trigger }) =>
      !sent.has(attribute) && !request.triggers.has(trigger) && (after[attribute] ?? null) !== null,
  ).map(({ attribute }) => ({
    at: { attribute },
    error: 'currency_mismatch',
    message: `must be given in ${String(currency)} when the bundle was in ${old}`,
  }))
}

const AMOUNTS = [
  { attribute: 'price_amount_cents', trigger: '_compute_price_amount' },
  { attribute: 'compare_at_amount_cents', trigger: '_compute_compare_at_amount' },
] as const

interface Pricing {
  readonly items: readonly ItemRow[]
  readonly priceList: PriceList | undefined
  readonly currency: string | undefined
}

/** Amounts that are sent, or the sum of what the SKUs cost one by one. */
const amountsOf = (
  after: Row,
  before: Row | undefined,
  request: WriteRequest,
  pricing: Pricing,
): Completion => {
  const computed = AMOUNTS.filter(({ trigger }) => request.triggers.has(trigger))
  const violations = computed.flatMap(({ attribute, trigger }) =>
    problemsOf(attribute, trigger, request, pricing),
  )
  if (violations.length > 0) return { violations }
  const sum = sumOf(pricing.items)
  const set = Object.fromEntries(computed.map(({ attribute }) => [attribute, sum]))
  const { price_amount_cents: price = null, compare_at_amount_cents: compareAt = null } = columnsOf(
    'Bundle',
    {
      ...after,
      ...set,
    },
  )
  if (price === null) return { violations: [NO_PRICE] }
  const isNew = before?.['price_amount_cents'] !== price || before['compare_at_amount_cents'] !== compareAt
  if (isNew && compareAt !== null && compareAt < price) return { violations: [belowPrice(compareAt, price)] }
  return { set }
}

const NO_PRICE: WriteViolation = {
  at: { attribute: 'price_amount_cents' },
  error: 'blank',
  message: "can't be blank, unless _compute_price_amount is true",
}

const belowPrice = (value: number, count: number): WriteViolation => ({
  at: { attribute: 'compare_at_amount_cents' },
  error: 'greater_than_or_equal_to',
  message: `must be greater than or equal to ${count}, the price`,
  value,
  count,
})

const sumOf = (items: readonly ItemRow[]): number =>
  items.reduce((sum, { amount_cents: amount, quantity }) => sum + (amount ?? 0) * quantity, 0)

/** Why the amount cannot be computed. */
const problemsOf = (
  attribute: string,
  trigger: string,
  request: WriteRequest,
  { items, priceList, currency = '' }: Pricing,
): readonly WriteViolation[] => {
  const refuse = (error: string, message: string): readonly WriteViolation[] => [
    { at: { attribute: trigger }, error, message },
  ]
  if (request.attributes.has(attribute)) return refuse('invalid', `cannot be sent together with ${attribute}`)
  if (priceList === undefined)
    return refuse('no_price', 'needs a market, whose price list says what its SKUs cost')
  const unpriced = items.filter(({ amount_cents: amount }) => amount === null)
  if (unpriced.length > 0) {
    const codes = unpriced.map(({ sku_code: code }) => code).join(', ')
    return refuse('no_price', `needs a price of ${codes} in the price list of the market`)
  }
  const most = amountCentsMaxOf(currency)
  return sumOf(items) > most
    ? refuse('amount_too_large', `comes to more than ${most}, the most in ${currency}`)
    : []
}
