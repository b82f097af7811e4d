/**
 * The shipments of an order as its lines, address, market and stock have them now, with the writes that bring them about
 * (docs/adr/0083). Shipments that stay keep their number and their method as long as it is available to them. The order is
 * locked; stock is planned and not promised.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { reserveNumbers } from '../engine/sql/reserve-numbers.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { release } from '../inventory/reservations.ts'
import { matchShipments } from './match-shipments.ts'
import { amountsOf, readMethods } from './read-methods.ts'
import type { NamedMethod } from './read-methods.ts'
import { readOrderStock } from './read-order-stock.ts'
import type { OrderStock } from './read-order-stock.ts'
import { shipmentNumber } from './shipment-place.ts'
import { costOf, isAvailable } from './shipping-cost.ts'
import type { ShipmentFacts } from './shipping-cost.ts'
import { stockLineChanges, transferChanges } from './stock-writes.ts'
import type { UnitsOfShipment } from './stock-writes.ts'
import type { Demand, PlannedShipment } from './strategies/plan.ts'
import { planShipments } from './strategies/strategies.ts'

/** A shipment with a method, and what it costs. */
export interface ShippingCost {
  readonly shipment: number
  readonly name: string
  readonly costCents: number
}

export interface BuiltShipments {
  /** Of the shipments that have a method. */
  readonly costs: readonly ShippingCost[]
  readonly count: number
  /** To be written before the line items of the order. */
  readonly before: readonly RowWrite[]
  /** To be written after them. */
  readonly after: readonly RowWrite[]
}

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
  const goods = hasShipments(columns) ? lines.filter(isOfSku).map((line) => rowOf('LineItem', line)) : []
  if (goods.length === 0 && count === 0) return undefined
  const stock = await readOrderStock(placeOf(order, goods, [...lines.flatMap(lineNumber), ...gone]), step)
  if ([...stock.shipments, ...stock.transfers].some(({ status }) => !UNTOUCHED.includes(status)))
    return undefined
  const { places, strategy } = stock.availability
  const plan = planShipments(
    strategy,
    goods.flatMap((line) => demandOf(line, stock)),
    places.map(({ location, units }) => ({
      location,
      available: new Map([...units].map(([sku, { available }]) => [sku, available])),
    })),
  )
  const kept = matchShipments(plan.shipments, stock.shipments)
  const shipments = await numbered(order, plan.shipments, kept, stock, step)
  const priced = await withMethods(order, shipments, stock, step)
  return writesOf(
    order,
    priced,
    plan.unshipped.map((units) => ({ units, shipment: null })),
    stock,
    step,
  )
}

const isOfSku = (line: Row): boolean => line['item_type'] === 'skus' && typeof line['id'] === 'number'

const lineNumber = ({ id }: Row): readonly number[] => (typeof id === 'number' ? [id] : [])

const placeOf = (order: Row, goods: readonly RowOf<'LineItem'>[], lines: readonly number[]) => {
  const {
    market_id: market = 0,
    store_id: store = null,
    shipping_address_id: address = null,
  } = columnsOf('Order', order)
  const skus = goods.flatMap(({ item_id: sku }) => (sku === null ? [] : [sku]))
  return { order: numberOf(order), market, store, address, skus: [...new Set(skus)], lines }
}

const demandOf = (
  { id, item_id: number, quantity }: RowOf<'LineItem'>,
  { skus }: OrderStock,
): readonly Demand[] => {
  const sku = number === null ? undefined : skus.get(number)
  if (sku === undefined) return []
  const { id: its, category, do_not_ship: isNotShipped, do_not_track: isNotTracked } = sku
  return [{ line: id, sku: its, quantity, category, isTracked: !isNotTracked, isShipped: !isNotShipped }]
}

interface NumberedShipment {
  readonly planned: PlannedShipment
  readonly number: number
  readonly before: RowOf<'Shipment'> | undefined
  /** Of the shipment itself, without its method. */
  readonly columns: Row
}

const numbered = async (
  order: Row,
  planned: readonly PlannedShipment[],
  kept: readonly (RowOf<'Shipment'> | undefined)[],
  { availability, shipments }: OrderStock,
  { run }: WorkflowStep,
): Promise<readonly NumberedShipment[]> => {
  const missing = kept.filter((row) => row === undefined).length
  const fresh = missing === 0 ? [] : [...(await run(reserveNumbers('shipments', missing)))]
  const taken = new Set(shipments.map(({ number }) => number))
  const inventoryLocations = new Map(
    availability.places.map(({ location, inventoryLocation }) => [location, inventoryLocation]),
  )
  const { currency_code, shipping_address_id = null, number: orderNumber = '' } = columnsOf('Order', order)
  return planned.map((each, at): NumberedShipment => {
    const before = kept[at]
    const units = [...each.stockLines, ...each.transfers].reduce((sum, { quantity }) => sum + quantity, 0)
    const columns = {
      currency_code,
      shipping_category_id: each.category,
      stock_location_id: each.location,
      inventory_stock_location_id: inventoryLocations.get(each.location) ?? null,
      shipping_address_id,
      skus_count: units,
    }
    if (before !== undefined) return { planned: each, number: before.id, before, columns }
    const created = {
      ...columns,
      order_id: numberOf(order),
      status: 'draft',
      number: freeNumber(orderNumber, taken),
    }
    return { planned: each, number: numberOf(fresh.shift() ?? {}), before, columns: created }
  })
}

const freeNumber = (order: string, taken: Set<string>): string => {
  let position = 1
  while (taken.has(shipmentNumber({ number: order }, position))) position += 1
  const number = shipmentNumber({ number: order }, position)
  taken.add(number)
  return number
}

interface PricedShipment extends NumberedShipment {
  readonly method: NamedMethod | undefined
  readonly costCents: number
}

/** The method that was chosen stays while it is available; without one the market's default is taken, if it is. */
const withMethods = async (
  order: Row,
  shipments: readonly NumberedShipment[],
  stock: OrderStock,
  { run, scope }: WorkflowStep,
): Promise<readonly PricedShipment[]> => {
  if (shipments.length === 0) return []
  const { currency_code: currency, market_id: market } = rowOf('Order', order)
  const methods = await readMethods([currency], [market], { run, environmentId: scope.environmentId })
  return shipments.map((shipment, position) => {
    const facts = factsOf(order, shipment.planned, position, stock)
    const available = methods.filter((method) => isAvailable(method, facts))
    const chosen = shipment.before?.shipping_method_id ?? null
    const method =
      available.find(({ id }) => id === chosen) ?? available.find(({ id }) => id === stock.defaultMethod)
    return { ...shipment, method, costCents: method === undefined ? 0 : costOf(method, facts) }
  })
}

const factsOf = (
  order: Row,
  { category, location, stockLines, transfers }: PlannedShipment,
  position: number,
  { address, availability, costCutoff, skus }: OrderStock,
): ShipmentFacts => {
  const { currency_code: currencyCode, market_id: marketId, ...amounts } = rowOf('Order', order)
  return {
    currencyCode,
    marketId,
    address,
    categoryId: category,
    stockLocationId: location,
    ignoresCategory: availability.strategy === 'no_split',
    weightGrams: [...stockLines, ...transfers].reduce(
      (sum, { sku, quantity }) => sum + quantity * (skus.get(sku)?.grams ?? 0),
      0,
    ),
    ...amountsOf(amounts),
    position,
    costCutoff,
  }
}

const writesOf = async (
  order: Row,
  shipments: readonly PricedShipment[],
  unshipped: readonly UnitsOfShipment[],
  stock: OrderStock,
  step: WorkflowStep,
): Promise<BuiltShipments> => {
  const { registry } = step
  const lines = stockLineChanges(
    [
      ...shipments.flatMap(({ planned, number }) =>
        planned.stockLines.map((units) => ({ units, shipment: number })),
      ),
      ...unshipped,
    ],
    stock,
    registry,
  )
  const transfers = transferChanges(
    shipments.flatMap(({ planned, number }) =>
      planned.transfers.map((units) => ({ units, shipment: number, destination: planned.location })),
    ),
    stock,
    registry,
  )
  // Only an order that was placed has reserved what it is planned to get.
  if (order['status'] === 'editing') {
    const ended = ({
      gone,
      changed,
    }: {
      gone: readonly { id: number }[]
      changed: readonly { id: number }[]
    }) => [...gone, ...changed].map(({ id }) => id)
    await release({ column: 'stock_line_item_id', numbers: ended(lines) }, step)
    await release({ column: 'stock_transfer_id', numbers: ended(transfers) }, step)
  }
  const definition = registry.require('shipments')
  const kept = new Set(shipments.map(({ number }) => number))
  const unneeded = stock.shipments.filter(({ id }) => !kept.has(id))
  const remove = (type: string, rows: readonly Row[], topics: readonly string[] = []): readonly RowWrite[] =>
    rows.map((before) => ({ definition: registry.require(type), before, columns: undefined, topics }))
  return {
    count: shipments.length,
    costs: shipments.flatMap(({ number, method, costCents }) =>
      method === undefined ? [] : [{ shipment: number, name: method.name, costCents }],
    ),
    before: [
      ...remove('stock_line_items', lines.gone),
      ...remove('stock_transfers', transfers.gone, ['stock_transfers.destroy']),
      ...shipments.flatMap((each) => shipmentWrite(each, definition)),
    ],
    after: [...remove('shipments', unneeded), ...lines.writes, ...transfers.writes],
  }
}

const shipmentWrite = (
  { number, before, columns, method }: PricedShipment,
  definition: RowWrite['definition'],
): readonly RowWrite[] => {
  const after: Row = { ...columns, shipping_method_id: method?.id ?? null }
  if (before === undefined) return [{ definition, number, before, columns: after }]
  const row: Row = before
  const changed = Object.fromEntries(Object.entries(after).filter(([column, value]) => row[column] !== value))
  return Object.keys(changed).length === 0 ? [] : [{ definition, number, before, columns: changed }]
}
