/**
 * Requests that may be sent to the rows of a shop: every trigger of the types that selling is made of, as their definitions
 * declare them, and whatever else writes those rows.
 */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { resources } from '../../../src/areas.ts'
import type { Books, ShopRows } from './books.ts'

export const TRIGGER_TYPES = [
  'orders',
  'line_items',
  'shipments',
  'authorizations',
  'captures',
  'voids',
  'refunds',
  'stock_items',
  'stock_line_items',
  'stock_reservations',
  'stock_transfers',
] as const

export type TriggerType = (typeof TRIGGER_TYPES)[number]

export interface AnyRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** Order whose stock it moves by hand, when it succeeds. */
  readonly byHand?: number | undefined
}

/** What is drawn for a request. */
export interface Drawn {
  /** Which of the rows of its type. */
  readonly nth: number
  /** Units, or hundreds of cents. */
  readonly amount: number
}

/** Undefined when there is no row to send it to. */
export type RequestOf = (books: Books, drawn: Drawn, rows: ShopRows) => AnyRequest | undefined

type Body = Readonly<Record<string, unknown>>

const TRANSACTIONS: readonly string[] = ['authorizations', 'captures', 'voids', 'refunds']

/** Transactions of every kind share their ids. */
const idOf = (type: string, number: number): string =>
  encodeId(TRANSACTIONS.includes(type) ? 'transactions' : type, number)

export const pathOf = (type: string, number: number): string => `/api/${type}/${idOf(type, number)}`

const link = (type: string, number: number) => ({ data: { type, id: idOf(type, number) } })

const patch = (type: string, number: number, attributes: Body, relationships: Body = {}): AnyRequest => {
  const id = idOf(type, number)
  return {
    method: 'PATCH',
    path: pathOf(type, number),
    body: { data: { type, id, attributes, relationships } },
  }
}

const post = (type: string, attributes: Body, relationships: Body): AnyRequest => ({
  method: 'POST',
  path: `/api/${type}`,
  body: { data: { type, attributes, relationships } },
})

const remove = (type: string, number: number): AnyRequest => ({
  method: 'DELETE',
  path: pathOf(type, number),
})

/** Numbers of the rows of a type. */
export const numbersOf = (
  books: Books,
  type: TriggerType | 'wire_transfers' | 'prices',
): readonly number[] =>
  TRANSACTIONS.includes(type)
    ? books.transactions.filter((row) => row.type === type).map(({ id }) => id)
    : (books[type as keyof Books] as readonly { readonly id: number }[]).map(({ id }) => id)

const nthOf = (numbers: readonly number[], nth: number): number | undefined => numbers[nth % numbers.length]

/** The order of a row whose stock is moved by hand through it. */
const orderOf = (books: Books, type: string, number: number): number | undefined => {
  const byLine = (line: number | null | undefined) => books.line_items.find(({ id }) => id === line)?.order_id
  const byShipment = (shipment: number | null | undefined) =>
    books.shipments.find(({ id }) => id === shipment)?.order_id
  switch (type) {
    case 'shipments':
      return byShipment(number)
    case 'stock_line_items': {
      const row = books.stock_line_items.find(({ id }) => id === number)
      return byLine(row?.line_item_id) ?? byShipment(row?.shipment_id)
    }
    case 'stock_transfers': {
      const row = books.stock_transfers.find(({ id }) => id === number)
      return byLine(row?.line_item_id) ?? byShipment(row?.shipment_id)
    }
    case 'stock_reservations': {
      const row = books.stock_reservations.find(({ id }) => id === number)
      return row?.order_id ?? byLine(row?.line_item_id)
    }
    default:
      return undefined
  }
}

/** Triggers that do not change how much an order holds. */
const HOLDS: ReadonlySet<string> = new Set([
  '_upcoming',
  '_on_hold',
  '_picking',
  '_packing',
  '_ready_to_ship',
  '_ship',
  '_deliver',
  '_in_transit',
  '_complete',
])

/** What a trigger carries. */
const valueOf = (name: string, carries: string | undefined, { amount }: Drawn): unknown => {
  if (carries === 'integer') return amount * 100
  if (carries !== 'text') return true
  return name.endsWith('_clone_id') ? encodeId('addresses', 1 + (amount % 2)) : `tag-${amount}`
}

export interface TriggerKind {
  readonly type: TriggerType
  readonly trigger: string
}

const attributesOf = (type: TriggerType) => {
  const definition = resources.find((each) => each.type === type)
  if (definition === undefined) throw new Error(`no definition of ${type}`)
  return definition.attributes
}

/** Every trigger that an update of the types takes, but arguments of others. */
export const triggerKinds: readonly TriggerKind[] = TRIGGER_TYPES.flatMap((type) =>
  Object.entries(attributesOf(type))
    .filter(([, each]) => each.kind === 'trigger' && each.write !== 'create' && each.argumentOf === undefined)
    .map(([trigger]) => ({ type, trigger })),
)

const triggerRequest =
  ({ type, trigger }: TriggerKind): RequestOf =>
  (books, drawn) => {
    const number = nthOf(numbersOf(books, type), drawn.nth)
    if (number === undefined) return undefined
    const attributes = attributesOf(type)
    const argument = Object.entries(attributes).find(([, each]) => each.argumentOf === trigger)
    const withArgument = argument !== undefined && drawn.amount % 2 === 1
    const request = patch(type, number, {
      [trigger]: valueOf(trigger, attributes[trigger]?.carries, drawn),
      ...(withArgument ? { [argument[0]]: valueOf(argument[0], argument[1].carries, drawn) } : {}),
    })
    return HOLDS.has(trigger) ? request : { ...request, byHand: orderOf(books, type, number) }
  }

/** Of the row that is drawn. */
const toRow =
  (
    type: TriggerType | 'wire_transfers' | 'prices',
    make: (number: number, drawn: Drawn, books: Books) => AnyRequest | undefined,
    isByHand = false,
  ): RequestOf =>
  (books, drawn) => {
    const number = nthOf(numbersOf(books, type), drawn.nth)
    const request = number === undefined ? undefined : make(number, drawn, books)
    if (request === undefined || number === undefined || !isByHand) return request
    return { ...request, byHand: orderOf(books, type, number) }
  }

const ADDRESSES = { shipping_address: link('addresses', 1), billing_address: link('addresses', 1) }

/** Numbers of what the suite makes once. */
export const FIXTURES = { paymentMethods: [1, 4], shippingMethods: [1, 2], adjustment: 1, option: 1 } as const

const OTHERS: Readonly<Record<string, RequestOf>> = {
  'add a line': (_books, { nth, amount }, { orders, skus }) => {
    const order = nthOf(orders, nth)
    const sku = nthOf(skus, amount)
    if (order === undefined || sku === undefined) return undefined
    const attributes = { quantity: 1 + (amount % 3), _update_quantity: amount % 2 === 0 }
    return post('line_items', attributes, { order: link('orders', order), item: link('skus', sku) })
  },
  'add an adjustment': (_books, { nth }, { orders }) => {
    const order = nthOf(orders, nth)
    const item = link('adjustments', FIXTURES.adjustment)
    return order === undefined
      ? undefined
      : post('line_items', { quantity: 1 }, { order: link('orders', order), item })
  },
  'add an option': toRow('line_items', (line, { amount }) =>
    post(
      'line_item_options',
      { quantity: 1 + (amount % 2), options: { text: 'x' } },
      { line_item: link('line_items', line), sku_option: link('sku_options', FIXTURES.option) },
    ),
  ),
  'set a quantity': toRow('line_items', (line, { amount }) =>
    patch('line_items', line, { quantity: 1 + amount }),
  ),
  'remove a line': toRow('line_items', (line) => remove('line_items', line)),
  'set place_async': toRow('orders', (order, { amount }) =>
    patch('orders', order, { place_async: amount % 2 === 0 }),
  ),
  'set the addresses': toRow('orders', (order) => patch('orders', order, {}, ADDRESSES)),
  'set the payment method': toRow('orders', (order, { amount }) => {
    const method = nthOf(FIXTURES.paymentMethods, amount) ?? 1
    return patch('orders', order, {}, { payment_method: link('payment_methods', method) })
  }),
  'delete an order': toRow('orders', (order) => remove('orders', order)),
  'pay by transfer': toRow('orders', (order) => post('wire_transfers', {}, { order: link('orders', order) })),
  'delete a source': toRow('wire_transfers', (source) => remove('wire_transfers', source)),
  'choose a shipping method': toRow('shipments', (shipment, { amount }) => {
    const method = nthOf(FIXTURES.shippingMethods, amount) ?? 1
    return patch('shipments', shipment, {}, { shipping_method: link('shipping_methods', method) })
  }),
  'delete a shipment': toRow('shipments', (shipment) => remove('shipments', shipment), true),
  'add a stock transfer': (books, { nth, amount }, { skus }) => {
    const sku = nthOf(skus, amount)
    const shipment = nthOf(numbersOf(books, 'shipments'), nth)
    if (sku === undefined) return undefined
    const places = {
      sku: link('skus', sku),
      origin_stock_location: link('stock_locations', 1 + (nth % 3)),
      destination_stock_location: link('stock_locations', 1 + ((nth + 1) % 3)),
    }
    const line = books.line_items[nth % books.line_items.length]
    const isOfShipment = amount % 2 === 1 && shipment !== undefined
    const isOfLine = amount % 3 === 2 && line !== undefined
    const more = {
      ...(isOfShipment ? { shipment: link('shipments', shipment) } : {}),
      ...(isOfLine ? { line_item: link('line_items', line.id) } : {}),
    }
    const ofLine = isOfLine ? line.order_id : undefined
    return {
      ...post('stock_transfers', { quantity: 1 + (amount % 3) }, { ...places, ...more }),
      byHand: isOfShipment ? orderOf(books, 'shipments', shipment) : ofLine,
    }
  },
  'change a stock transfer': toRow(
    'stock_transfers',
    (transfer, { amount }) => patch('stock_transfers', transfer, { quantity: 1 + amount }),
    true,
  ),
  'delete a stock transfer': toRow(
    'stock_transfers',
    (transfer) => remove('stock_transfers', transfer),
    true,
  ),
  'reserve stock': toRow('stock_items', (item, { amount }) =>
    post('stock_reservations', { quantity: 1 + (amount % 2) }, { stock_item: link('stock_items', item) }),
  ),
  'change a reservation': toRow(
    'stock_reservations',
    (reservation, { amount }) => patch('stock_reservations', reservation, { quantity: 1 + amount }),
    true,
  ),
  'delete a reservation': toRow(
    'stock_reservations',
    (reservation) => remove('stock_reservations', reservation),
    true,
  ),
  'add a stock line': (books, { nth, amount }) => {
    const shipment = nthOf(numbersOf(books, 'shipments'), nth)
    const item = nthOf(numbersOf(books, 'stock_items'), amount)
    if (shipment === undefined || item === undefined) return undefined
    const line = amount % 3 === 2 ? books.line_items[nth % books.line_items.length] : undefined
    const relationships = {
      shipment: link('shipments', shipment),
      stock_item: link('stock_items', item),
      ...(line === undefined ? {} : { line_item: link('line_items', line.id) }),
    }
    return {
      ...post('stock_line_items', { quantity: 1 + (amount % 2) }, relationships),
      byHand: orderOf(books, 'shipments', shipment),
    }
  },
  'change a stock line': toRow(
    'stock_line_items',
    (line, { amount }) => patch('stock_line_items', line, { quantity: 1 + amount }),
    true,
  ),
  'delete a stock line': toRow('stock_line_items', (line) => remove('stock_line_items', line), true),
  'count stock': toRow('stock_items', (item, { amount }, books) => {
    const counter = books.reserved_stocks.find((row) => row.stock_item_id === item)
    return patch('stock_items', item, { quantity: (counter?.quantity ?? 0) + amount })
  }),
  'change a price': toRow('prices', (price, { amount }) =>
    patch('prices', price, { amount_cents: amount * 500 }),
  ),
}

export const otherKinds: readonly string[] = Object.keys(OTHERS)

const TRIGGERS = new Map(triggerKinds.map((kind) => [`${kind.type} ${kind.trigger}`, triggerRequest(kind)]))

/** `orders _place`, or one of otherKinds. */
export const requestOf = (kind: string): RequestOf => {
  const found = TRIGGERS.get(kind) ?? OTHERS[kind]
  if (found === undefined) throw new Error(`no request is called ${kind}`)
  return found
}
