/**
 * The shipments of an order as its lines, address, market and stock have them now, with the writes that bring them about
 * (docs/adr/0083). Shipments that stay keep their number and their method as long as it is available to them. The order is
 * locked; stock is planned and not promised.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { partsOfLines } from '../catalogue/parts-of-lines.ts'
import type { PartOfLine } from '../catalogue/parts-of-lines.ts'
import { columnsOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { numberShipments } from './number-shipments.ts'
import { priceShipments } from './price-shipments.ts'
import { readOrderStock } from './read-order-stock.ts'
import type { OrderStock } from './read-order-stock.ts'
import { shipmentWrites } from './shipment-writes.ts'
import type { BuiltShipments } from './shipment-writes.ts'
import type { Demand } from './strategies/plan.ts'
import { planShipments } from './strategies/strategies.ts'

/** A draft without an address is a cart that nobody sends anywhere yet. */
export const hasShipments = ({
  status,
  shipping_address_id: address = null,
}: Partial<RowOf<'Order'>>): boolean =>
  status === 'pending' || status === 'editing' || (status === 'draft' && address !== null)

/** What was bought is sent as it was planned. */
const isPlaced = ({ status }: Partial<RowOf<'Order'>>): boolean =>
  status !== 'draft' && status !== 'pending' && status !== 'editing'

/** Statuses of shipments and transfers that nobody has started to work on. */
const UNTOUCHED: readonly string[] = ['draft', 'upcoming']

/**
 * `order` and `lines` are the rows as they will be, `gone` the numbers of lines that go. Undefined when there is nothing to
 * ship, before and after, and when somebody works on the shipments already.
 */
export const buildShipments = async (
  order: Row,
  lines: readonly Row[],
  gone: readonly number[],
  step: WorkflowStep,
): Promise<BuiltShipments | undefined> => {
  const { shipments_count: count = 0, ...columns } = columnsOf('Order', order)
  if (isPlaced(columns)) return undefined
  const goods = hasShipments(columns) ? await partsOfLines(lines.filter(isStored), step) : []
  if (goods.length === 0 && count === 0) return undefined
  const stock = await readOrderStock(placeOf(order, goods, [...lines.flatMap(lineNumber), ...gone]), step)
  if ([...stock.shipments, ...stock.transfers].some(({ status }) => !UNTOUCHED.includes(status)))
    return undefined
  const { places, strategy } = stock.availability
  const plan = planShipments(
    strategy,
    goods.flatMap((part) => demandOf(part, stock)),
    places.map(({ location, units }) => ({
      location,
      available: new Map([...units].map(([sku, { available }]) => [sku, available])),
    })),
  )
  const shipments = await numberShipments(order, plan.shipments, stock, step)
  const priced = await priceShipments(order, shipments, stock, step)
  return shipmentWrites(
    order,
    priced,
    plan.unshipped.map((units) => ({ units, shipment: null })),
    stock,
    step,
  )
}

const isStored = (line: Row): boolean => typeof line['id'] === 'number'

const lineNumber = ({ id }: Row): readonly number[] => (typeof id === 'number' ? [id] : [])

const placeOf = (order: Row, goods: readonly PartOfLine[], lines: readonly number[]) => {
  const {
    market_id: market = 0,
    store_id: store = null,
    shipping_address_id: address = null,
  } = columnsOf('Order', order)
  const skus = [...new Set(goods.map(({ sku }) => sku))]
  const bundleCodes = new Map(
    goods.map(({ line }) => [numberOf(line), columnsOf('LineItem', line).bundle_code ?? null]),
  )
  return { order: numberOf(order), market, store, address, skus, lines, bundleCodes }
}

const demandOf = (
  { line, sku: number, quantity, isBundled }: PartOfLine,
  { skus }: OrderStock,
): readonly Demand[] => {
  const sku = skus.get(number)
  if (sku === undefined) return []
  const { id: its, category, do_not_ship: isNotShipped, do_not_track: isNotTracked } = sku
  return [
    {
      line: numberOf(line),
      sku: its,
      quantity,
      category,
      isTracked: !isNotTracked,
      isShipped: !isNotShipped,
      isBundled,
    },
  ]
}
