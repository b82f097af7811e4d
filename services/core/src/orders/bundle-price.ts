/**
 * What a line of a bundle costs and whether there is enough for it: the price of the bundle, and of each of its SKUs what the
 * locations of the order's market have. The scarcest decides.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import type { Completion, WorkflowStep } from '../engine/write/write-workflow.ts'
import { availabilityColumns, availabilityOf, availableUnits } from '../inventory/availability.ts'
import type { Availability, AvailabilityRow } from '../inventory/availability.ts'
import { outOfStock } from '../inventory/out-of-stock.ts'
import type { LineToPrice } from './line-item-price.ts'
import { QUANTITY_MAX } from './line-items.ts'

const OFFER = `
  SELECT bundles.price_amount_cents, bundles.compare_at_amount_cents,
    (SELECT coalesce(json_agg(json_build_object('sku', skus.id, 'code', skus.code, 'units', parts.quantity,
        'do_not_track', skus.do_not_track) ORDER BY skus.id), '[]')
      FROM bundle_skus AS parts
      JOIN skus ON skus.environment_id = $1 AND skus.id = parts.sku_id
      WHERE parts.environment_id = $1 AND parts.bundle_id = bundles.id) AS parts,
    ${availabilityColumns(
      'ARRAY(SELECT sku_id FROM bundle_skus WHERE environment_id = $1 AND bundle_id = $3)',
      'orders.id',
    )}
  FROM orders
  JOIN markets ON markets.environment_id = $1 AND markets.id = orders.market_id
  JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
  LEFT JOIN stores ON stores.environment_id = $1 AND stores.id = orders.store_id
  JOIN bundles ON bundles.environment_id = $1 AND bundles.id = $3
  WHERE orders.environment_id = $1 AND orders.id = $2`

interface Part {
  readonly sku: number
  readonly code: string
  readonly units: number
  readonly do_not_track: boolean
}

interface Offer extends AvailabilityRow {
  readonly price_amount_cents: number
  readonly compare_at_amount_cents: number | null
  readonly parts: readonly Part[]
}

/** Columns of amounts, or why the bundle cannot be ordered like this. */
export const priceBundleLine = async (
  { line, hasAmount, hasCompareAtAmount, isNewItem }: LineToPrice,
  { run, scope, isImport }: WorkflowStep,
): Promise<Completion> => {
  const { order_id: order, item_id: bundle, quantity = 0 } = columnsOf('LineItem', line)
  const values = [scope.environmentId, order, bundle]
  const [offer] = await run<Offer>({ text: OFFER, values, name: 'bundle_offer' })
  if (offer === undefined) return {}
  const availability = availabilityOf(offer, scope.stockLocationId)
  // What was ordered elsewhere did not come from the stock of here.
  const unstocked = isNewItem && !isImport ? withoutStock(line['bundle_code'], offer.parts, availability) : []
  const short = isImport ? [] : shortOf(quantity, offer.parts, availability)
  const [violation] = [...tooMany(quantity, offer.parts), ...unstocked, ...short]
  if (violation !== undefined) return { violations: [violation] }
  if (!isNewItem) return { set: hasAmount ? { has_own_amount: true } : {} }
  const { price_amount_cents: unit, compare_at_amount_cents: compareAt } = offer
  return {
    set: {
      has_own_amount: hasAmount,
      ...(hasAmount ? {} : { unit_amount_cents: unit }),
      ...(hasAmount || hasCompareAtAmount ? {} : { compare_at_amount_cents: compareAt }),
    } satisfies Row,
  }
}

/** Units of a SKU are counted like those of a line. */
const tooMany = (quantity: number, parts: readonly Part[]): readonly WriteViolation[] => {
  const max = Math.floor(QUANTITY_MAX / Math.max(1, ...parts.map(({ units }) => units)))
  if (quantity <= max) return []
  const message = `must be less than or equal to ${max}`
  return [
    { at: { attribute: 'quantity' }, error: 'less_than_or_equal_to', message, value: quantity, count: max },
  ]
}

const withoutStock = (
  value: unknown,
  parts: readonly Part[],
  { stocked }: Availability,
): readonly WriteViolation[] => {
  const missing = parts.filter(({ sku }) => !stocked.has(sku)).map(({ code }) => code)
  const message = `has ${missing.join(', ')}, which no stock location of the order's market has`
  return missing.length === 0
    ? []
    : [{ at: { attribute: 'bundle_code' }, error: 'not_stocked', message, value }]
}

const shortOf = (
  quantity: number,
  parts: readonly Part[],
  availability: Availability,
): readonly WriteViolation[] => {
  const tracked = parts.filter((part) => !part.do_not_track)
  const available = Math.min(
    ...tracked.map(({ sku, units }) => Math.floor(availableUnits(availability, sku) / units)),
  )
  return quantity <= available ? [] : outOfStock([{ wanted: quantity, available }])
}
