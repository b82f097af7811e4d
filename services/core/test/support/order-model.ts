/**
 * A small reference of orders: what each request comes to, in plain numbers. It knows one SKU that is in two stock locations,
 * one line per order, and shipping that costs nothing. Requests are predicted from lifecycles, not from the code under test.
 */

export interface OrderModel {
  status: 'draft' | 'pending' | 'placing' | 'placed' | 'editing' | 'approved' | 'cancelled'
  payment: string
  fulfillment: 'unfulfilled' | 'in_progress' | 'fulfilled'
  /** Units of its line; 0 without a line. */
  quantity: number
  isAsync: boolean
  isAddressed: boolean
  hasMethod: boolean
  hasSource: boolean
  /** Authorized, neither captured nor voided. */
  openCents: number
  /** Captured, and not refunded. */
  receivedCents: number
  /** Captured, whatever was refunded of it. */
  capturedCents: number
  placedCents: number
  /** Units that are promised to it, and whether only for a time. */
  reserved: number
  isReservedForATime: boolean
  reservedUntil: number
  /** Units that it has taken out of stock. */
  taken: number
  isArchived: boolean
}

export const newOrder = (): OrderModel => ({
  status: 'draft',
  payment: 'unpaid',
  fulfillment: 'unfulfilled',
  quantity: 0,
  isAsync: false,
  isAddressed: false,
  hasMethod: false,
  hasSource: false,
  openCents: 0,
  receivedCents: 0,
  capturedCents: 0,
  placedCents: 0,
  reserved: 0,
  isReservedForATime: false,
  reservedUntil: 0,
  taken: 0,
  isArchived: false,
})

export interface ShopModel {
  readonly unitCents: number
  /** Seconds since the sequence began. */
  now: number
  /** Units in both locations. */
  onHand: number
  readonly orders: OrderModel[]
}

export const totalOf = ({ unitCents }: ShopModel, { quantity }: OrderModel): number => unitCents * quantity

/** What the order could have: what is there, less what is promised to others. */
export const availableTo = ({ onHand, orders }: ShopModel, order: OrderModel): number =>
  onHand - orders.reduce((sum, each) => (each === order ? sum : sum + each.reserved), 0)

/** `refused` leaves everything as it was. */
export type Outcome = 'done' | 'refused'

type Act = (shop: ShopModel, order: OrderModel) => Outcome

const IN_THE_MAKING: readonly string[] = ['draft', 'pending']
export const EDITABLE: readonly string[] = [...IN_THE_MAKING, 'editing']

const settle = (order: OrderModel): void => {
  if (order.status === 'draft' && order.quantity > 0) order.status = 'pending'
  else if (order.status === 'pending' && order.quantity === 0) order.status = 'draft'
}

/** An approved order is fulfilled once all that is due was captured, or nothing is due. */
const startFulfilling = (order: OrderModel): void => {
  if (order.status !== 'approved' || order.fulfillment !== 'unfulfilled') return
  if (['paid', 'partially_refunded', 'free'].includes(order.payment)) order.fulfillment = 'in_progress'
}

const giveUpStock = (shop: ShopModel, order: OrderModel): void => {
  order.reserved = 0
  order.isReservedForATime = false
  shop.onHand += order.taken
  order.taken = 0
}

const cancelRefunded = (shop: ShopModel, order: OrderModel): void => {
  order.payment = 'refunded'
  order.status = 'cancelled'
  order.openCents = 0
  if (order.fulfillment === 'fulfilled') return
  order.fulfillment = 'unfulfilled'
  giveUpStock(shop, order)
}

const isPlaceable = (shop: ShopModel, order: OrderModel): boolean => {
  const due = totalOf(shop, order)
  const held = order.openCents + order.receivedCents
  const isPayable = due === 0 || (order.hasMethod && order.hasSource)
  return (
    order.quantity > 0 &&
    order.isAddressed &&
    isPayable &&
    held <= due &&
    order.quantity <= availableTo(shop, order)
  )
}

const place = (shop: ShopModel, order: OrderModel): void => {
  const due = totalOf(shop, order)
  order.status = 'placed'
  order.placedCents = due
  order.openCents = due
  order.payment = due === 0 ? 'free' : 'authorized'
  order.reserved = order.quantity
  order.isReservedForATime = false
}

export const setQuantity =
  (quantity: number): Act =>
  (shop, order) => {
    if (!EDITABLE.includes(order.status)) return 'refused'
    if (quantity > 0 && quantity !== order.quantity && quantity > availableTo(shop, order)) return 'refused'
    order.quantity = quantity
    if (quantity === 0) order.reserved = 0
    if (order.status === 'editing') order.reserved = Math.min(order.reserved, quantity)
    settle(order)
    return 'done'
  }

const whileEditable =
  (act: (order: OrderModel) => void): Act =>
  (_shop, order) => {
    if (!EDITABLE.includes(order.status)) return 'refused'
    act(order)
    return 'done'
  }

/** Changes of the order that are not triggers. */
export const changes: Readonly<Record<string, Act>> = {
  address: whileEditable((order) => {
    order.isAddressed = true
  }),
  payment_method: whileEditable((order) => {
    order.hasMethod = true
  }),
  place_async: whileEditable((order) => {
    order.isAsync = true
  }),
  pay: (_shop, order) => {
    const isOpen = ['unpaid', 'partially_authorized', 'voided', 'free'].includes(order.payment)
    if (!EDITABLE.includes(order.status) || !isOpen || !order.hasMethod) return 'refused'
    order.hasSource = true
    return 'done'
  },
}

/** Of an order of which something was captured, and not all of it refunded. */
const paymentOf = (shop: ShopModel, order: OrderModel): string => {
  if (order.capturedCents < totalOf(shop, order)) return 'partially_paid'
  return order.receivedCents < order.capturedCents ? 'partially_refunded' : 'paid'
}

const whileApproved =
  (done: readonly string[], act: Act): Act =>
  (shop, order) => {
    if (done.includes(order.payment)) return 'done'
    return order.status === 'approved' ? act(shop, order) : 'refused'
  }

const capture =
  (cents: number): Act =>
  (shop, order) => {
    order.openCents -= cents
    order.receivedCents += cents
    order.capturedCents += cents
    order.payment = paymentOf(shop, order)
    startFulfilling(order)
    return 'done'
  }

/** As much as is authorized and due. */
const captureAll: Act = (shop, order) => {
  const cents = Math.min(order.openCents, totalOf(shop, order) - order.capturedCents)
  if (!['authorized', 'partially_paid'].includes(order.payment) || order.openCents === 0)
    return ['paid', 'partially_refunded', 'refunded', 'free'].includes(order.payment) && order.openCents === 0
      ? 'done'
      : 'refused'
  return capture(cents)(shop, order)
}

export const triggers: Readonly<Record<string, Act>> = {
  _pending: (_shop, order) => {
    if (order.status === 'pending') return 'done'
    if (!['draft', 'placing'].includes(order.status) || order.quantity === 0) return 'refused'
    order.status = 'pending'
    return 'done'
  },
  _place: (shop, order) => {
    if (['placed', 'placing'].includes(order.status)) return 'done'
    if (order.status !== 'pending' || !(order.isAsync ? isReady : isPlaceable)(shop, order)) return 'refused'
    if (order.isAsync) order.status = 'placing'
    else place(shop, order)
    return 'done'
  },
  _authorize: (shop, order) => {
    const due = totalOf(shop, order)
    if (!IN_THE_MAKING.includes(order.status))
      return ['authorized', 'paid', 'free'].includes(order.payment) ? 'done' : 'refused'
    const held = order.openCents + order.receivedCents
    if (due === 0 || due <= held) return 'done'
    if (!order.hasMethod || !order.hasSource) return 'refused'
    order.openCents = due
    order.payment = 'authorized'
    return 'done'
  },
  _start_editing: (_shop, order) => {
    if (order.status === 'editing') return 'done'
    if (order.status !== 'placed') return 'refused'
    order.status = 'editing'
    return 'done'
  },
  _stop_editing: (shop, order) => {
    if (order.status === 'placed') return 'done'
    const { status, quantity, placedCents } = order
    if (status !== 'editing' || quantity === 0 || totalOf(shop, order) > placedCents) return 'refused'
    if (quantity > availableTo(shop, order)) return 'refused'
    order.status = 'placed'
    order.reserved = quantity
    return 'done'
  },
  _approve: (shop, order) => {
    if (order.status === 'approved') return 'done'
    if (order.status !== 'placed' || !['authorized', 'free'].includes(order.payment)) return 'refused'
    order.status = 'approved'
    takeStock(shop, order)
    startFulfilling(order)
    return 'done'
  },
  _approve_and_capture: (shop, order) => {
    if (order.status === 'approved') return 'done'
    if (order.status !== 'placed' || order.payment !== 'authorized') return 'refused'
    order.status = 'approved'
    takeStock(shop, order)
    return captureAll(shop, order)
  },
  _capture: whileApproved(['paid', 'free'], captureAll),
  _refund: whileApproved(['refunded'], (shop, order) => {
    if (order.receivedCents === 0) return 'refused'
    order.receivedCents = 0
    cancelRefunded(shop, order)
    return 'done'
  }),
  _cancel: (shop, order) => {
    if (order.status === 'cancelled') return 'done'
    const isUntouched = order.payment === 'authorized' && order.fulfillment === 'unfulfilled'
    if (!['pending', 'placed', 'editing', 'approved'].includes(order.status)) return 'refused'
    if (order.status === 'approved' && !isUntouched) return 'refused'
    if (order.openCents > 0) order.payment = 'voided'
    order.openCents = 0
    order.status = 'cancelled'
    giveUpStock(shop, order)
    return 'done'
  },
  _fulfill: (_shop, order) => {
    if (order.fulfillment === 'fulfilled') return 'done'
    if (order.fulfillment !== 'in_progress') return 'refused'
    order.fulfillment = 'fulfilled'
    return 'done'
  },
  _archive: (_shop, order) => {
    order.isArchived = true
    return 'done'
  },
  _unarchive: (_shop, order) => {
    order.isArchived = false
    return 'done'
  },
  _refresh: whileEditable(() => undefined),
}

/** What is checked before an order is placed later; nothing is authorized or promised then. */
const isReady = (shop: ShopModel, order: OrderModel): boolean => {
  const isPayable = totalOf(shop, order) === 0 || (order.hasMethod && order.hasSource)
  return order.quantity > 0 && order.isAddressed && isPayable && order.quantity <= availableTo(shop, order)
}

const takeStock = (shop: ShopModel, order: OrderModel): void => {
  shop.onHand -= order.quantity
  order.taken = order.quantity
  order.reserved = 0
}

/** The job of place_async. Orders are placed in the order in which they began. */
export const placeLater = (shop: ShopModel, waiting: readonly OrderModel[]): void => {
  for (const order of waiting) if (order.status === 'placing' && isPlaceable(shop, order)) place(shop, order)
}

/** Of a part of what is authorized, by the authorization itself. */
export const capturePart =
  (cents: number): Act =>
  (shop, order) => {
    const isOpen = order.status === 'approved' && ['authorized', 'partially_paid'].includes(order.payment)
    const most = Math.min(order.openCents, totalOf(shop, order) - order.capturedCents)
    return !isOpen || cents < 1 || cents > most ? 'refused' : capture(cents)(shop, order)
  }

export const refundPart =
  (cents: number): Act =>
  (shop, order) => {
    const isOpen = ['placed', 'approved'].includes(order.status)
    if (!isOpen || cents < 1 || cents > order.receivedCents) return 'refused'
    order.receivedCents -= cents
    if (order.receivedCents === 0) cancelRefunded(shop, order)
    else order.payment = paymentOf(shop, order)
    return 'done'
  }

/** The line is promised for an hour. */
export const reserveLine: Act = (shop, order) => {
  if (!IN_THE_MAKING.includes(order.status) || order.quantity > availableTo(shop, order)) return 'refused'
  order.reserved = order.quantity
  order.isReservedForATime = true
  order.reservedUntil = shop.now + 3600
  return 'done'
}

/** Time passes, and the job that ends reservations runs. */
export const passTime = (shop: ShopModel, seconds: number): void => {
  shop.now += seconds
  for (const order of shop.orders) {
    if (!order.isReservedForATime || order.reservedUntil > shop.now) continue
    order.reserved = 0
    order.isReservedForATime = false
  }
}

/** All shipments have left. */
export const shipAll: Act = (_shop, order) => {
  if (order.fulfillment !== 'in_progress') return 'refused'
  order.fulfillment = 'fulfilled'
  return 'done'
}
