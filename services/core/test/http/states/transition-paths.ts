/**
 * How each transition is taken over HTTP: machine → transition → the state it starts from → the way. That of an order is a story, whose
 * first word is how it begins and whose last step takes the transition (order-steps.ts). every-transition.long.test.ts reads the machines:
 * a transition without a way fails it. The reference of state machines shows the ways.
 */
export type Paths = Readonly<Record<string, Readonly<Record<string, string>>>>

const placed = 'payable, _place'
const approved = `${placed}, _approve`
const paid = `${placed}, _approve_and_capture`
/** Authorized in two parts, of 3,000 and of 7,000. */
const inParts = 'payable, authorize 3000, _place'

export const ORDER_PATHS: Readonly<Record<string, Paths>> = {
  'orders.status': {
    pending: { draft: 'empty, customer, goods' },
    draft: { pending: 'payable, no-goods' },
    resume: { draft: 'imported draft unpaid, _pending', placing: 'payable, later, _place, _pending' },
    place: { pending: placed },
    beginPlacing: { pending: 'payable, later, _place' },
    finishPlacing: { placing: 'payable, later, _place, jobs' },
    startEditing: { placed: `${placed}, _start_editing` },
    stopEditing: { editing: `${placed}, _start_editing, _stop_editing` },
    approve: { placed: approved },
    approveAndCapture: { placed: paid },
    cancel: {
      pending: 'payable, _cancel',
      placed: `${placed}, _cancel`,
      editing: `${placed}, _start_editing, _cancel`,
      approved: `${approved}, _cancel`,
    },
    cancelGivenBack: {
      placed: `${placed}, void`,
      editing: `${placed}, _start_editing, void`,
      approved: `${approved}, void`,
    },
  },
  'orders.payment_status': {
    authorize: { unpaid: 'payable, authorize', partially_authorized: inParts },
    authorizePartially: { unpaid: 'payable, authorize 3000' },
    pay: {
      authorized: `${approved}, capture`,
      partially_authorized: 'payable, auto-capture, authorize 3000, _place',
      partially_paid: `${approved}, capture 4000, capture`,
      partially_voided: `${inParts}, _start_editing, quantity 1, _stop_editing, _approve, void 1, capture all 2`,
    },
    payPartially: {
      authorized: `${approved}, capture 4000`,
      partially_voided: `${inParts}, _approve, void 1, capture 4000 2`,
    },
    payRefunded: { partially_paid: `${approved}, capture 4000, refund 1000, capture` },
    void: {
      authorized: `${placed}, void`,
      partially_authorized: 'payable, authorize 3000, _cancel',
      partially_voided: `${inParts}, _approve, void 1, void 2`,
    },
    voidPartially: { authorized: `${inParts}, void 1` },
    refund: {
      paid: `${paid}, refund`,
      partially_paid: `${approved}, capture 4000, refund`,
      partially_refunded: `${paid}, refund 100, _refund`,
    },
    refundPartially: { paid: `${paid}, refund 100` },
    free: { unpaid: 'payable, for-nothing, _refresh_prices, _place' },
    reset: {
      authorized: 'payable, authorize, cancel-authorization',
      partially_authorized: 'payable, authorize 3000, cancel-authorization',
      paid: 'imported pending paid, _authorize, cancel-capture',
    },
    resetPartially: { authorized: 'payable, authorize 3000, authorize, cancel-authorization 2' },
  },
  'orders.fulfillment_status': {
    waive: { unfulfilled: 'payable, nothing-shipped, _place' },
    require: {
      not_required:
        'payable, nothing-shipped, _place, _start_editing, quantity 1, goods SKU-B 1, _stop_editing',
    },
    start: { unfulfilled: paid },
    complete: { in_progress: `${paid}, ship` },
    fulfill: { in_progress: `${paid}, _fulfill` },
    cancel: { in_progress: `${paid}, _refund` },
  },
}

/** By its own trigger, after the triggers that lead to the state it starts from (other-paths.ts). */
const BY_TRIGGER = 'its triggers'
/** What moves it besides triggers. */
const BY_WORKER = 'a worker'
export const BY_BROKEN_WORKER = 'a worker that meets an error inside Merx'
export const BY_ORDER = 'its order'
export const BY_SCHEDULE = 'a worker, when the next run is due'
export const BY_COPY = 'the copy of the run, which is complete'
export const BY_FAILING_COPY = 'the copy of the run, which failed'
export const BY_EMPTY_ORDER = 'a worker that finds the new order deleted'
export const BY_SUBSCRIPTION = '`_cancel` of its subscription'
export const BY_STOCK = 'a worker that finds enough in stock'
export const BY_USE = 'an order that uses all of it'
export const BY_CANCELLED_USE = '`_cancel` of the order that used all of it'
export const BY_CANCELLED_PURCHASE = '`_cancel` of the order that bought it'

export const OTHER_WAYS: Readonly<Record<string, Paths>> = {
  'shipments.status': {
    upcoming: { draft: BY_TRIGGER },
    hold: { upcoming: BY_TRIGGER, picking: BY_TRIGGER },
    pick: { upcoming: BY_TRIGGER, on_hold: BY_TRIGGER, packing: BY_TRIGGER, ready_to_ship: BY_TRIGGER },
    pack: { picking: BY_TRIGGER },
    ready: { packing: BY_TRIGGER },
    ship: { ready_to_ship: BY_TRIGGER },
    deliver: { shipped: BY_TRIGGER },
    cancel: {
      draft: BY_TRIGGER,
      upcoming: BY_TRIGGER,
      on_hold: BY_TRIGGER,
      picking: BY_TRIGGER,
      packing: BY_TRIGGER,
      ready_to_ship: BY_TRIGGER,
    },
    startHeld: { upcoming: BY_ORDER },
  },
  'stock_transfers.status': {
    upcoming: { draft: BY_TRIGGER },
    hold: { upcoming: BY_TRIGGER, picking: BY_TRIGGER },
    pick: { upcoming: BY_TRIGGER, on_hold: BY_TRIGGER },
    send: { picking: BY_TRIGGER },
    complete: { in_transit: BY_TRIGGER },
    cancel: {
      draft: BY_TRIGGER,
      upcoming: BY_TRIGGER,
      on_hold: BY_TRIGGER,
      picking: BY_TRIGGER,
      in_transit: BY_TRIGGER,
    },
  },
  'stock_reservations.status': { pending: { draft: BY_TRIGGER } },
  'order_subscriptions.status': {
    activate: { draft: BY_TRIGGER, inactive: BY_TRIGGER },
    deactivate: { active: BY_TRIGGER },
    cancel: { draft: BY_TRIGGER, inactive: BY_TRIGGER, active: BY_TRIGGER, running: BY_TRIGGER },
    run: { active: BY_SCHEDULE },
    succeed: { running: BY_COPY },
    fail: { running: BY_FAILING_COPY },
  },
  'order_copies.status': {
    start: { pending: BY_WORKER },
    complete: { in_progress: BY_WORKER },
    fail: { in_progress: BY_EMPTY_ORDER },
    abort: { pending: BY_SUBSCRIPTION },
  },
  'recurring_order_copies.status': {
    start: { pending: BY_WORKER },
    complete: { in_progress: BY_WORKER },
    fail: { in_progress: BY_EMPTY_ORDER },
    abort: { pending: BY_SUBSCRIPTION },
  },
  'in_stock_subscriptions.status': {
    activate: { inactive: BY_TRIGGER },
    deactivate: { active: BY_TRIGGER },
    notify: { active: BY_STOCK },
  },
  'gift_cards.status': {
    purchase: { draft: BY_TRIGGER },
    activate: { inactive: BY_TRIGGER },
    deactivate: { active: BY_TRIGGER },
    redeem: { active: BY_USE },
    restore: { redeemed: BY_CANCELLED_USE },
    revoke: { redeemed: BY_CANCELLED_PURCHASE },
  },
  'returns.status': {
    request: { draft: BY_TRIGGER },
    approve: { requested: BY_TRIGGER },
    cancel: { requested: BY_TRIGGER },
    ship: { approved: BY_TRIGGER },
    reject: { shipped: BY_TRIGGER },
    receive: { shipped: BY_TRIGGER },
    refund: { received: BY_TRIGGER },
  },
  'imports.status': {
    start: { pending: BY_WORKER },
    complete: { in_progress: BY_WORKER },
    interrupt: { pending: BY_TRIGGER, in_progress: BY_TRIGGER },
  },
  'cleanups.status': {
    start: { pending: BY_WORKER },
    complete: { in_progress: BY_WORKER },
    interrupt: { pending: BY_TRIGGER, in_progress: BY_TRIGGER },
  },
  'exports.status': {
    start: { pending: BY_WORKER },
    complete: { in_progress: BY_WORKER },
    fail: { in_progress: BY_BROKEN_WORKER },
    interrupt: { pending: BY_TRIGGER, in_progress: BY_TRIGGER },
    resume: { interrupted: BY_TRIGGER },
  },
}

const ONLY_A_CART =
  'Only a cart is partially_authorized: placing authorizes the rest. Money is captured and voided of placed orders.'
const NO_PART_OF_A_CART =
  'Only an import brings a cart with captured money, and what it brings was captured as a whole.'

/** Transitions that a machine allows and no request takes, each with the reason. */
export const UNTAKEN: Readonly<Record<string, Paths>> = {
  'shipments.status': {
    startHeld: {
      draft:
        'Placing makes the shipments of an order upcoming, and none is made by hand until its fulfillment is in_progress.',
    },
  },
  'orders.payment_status': {
    payPartially: { partially_authorized: ONLY_A_CART },
    voidPartially: { partially_authorized: ONLY_A_CART },
    refundPartially: {
      partially_paid: 'As long as not all is captured that is due, an order stays partially_paid.',
    },
    reset: {
      partially_paid: NO_PART_OF_A_CART,
      free: 'Placing makes an order free, and only a cart is reset.',
    },
    resetPartially: { paid: NO_PART_OF_A_CART, partially_paid: NO_PART_OF_A_CART },
  },
}
