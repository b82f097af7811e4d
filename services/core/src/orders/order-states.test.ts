import type { Row } from '@merx/jsonapi/attributes'
import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import { paymentStates } from '../payments/payment-states.ts'
import { METHODS_OPEN } from '../shipping/shipment-place.ts'
import { transition } from '../states/transition.ts'
import { EDITABLE, IN_THE_MAKING, orderStates, PLACED, topicsWithoutTransition } from './order-states.ts'
import type { OrderSubject } from './order-states.ts'

const shirt = { item_type: 'skus' }
const shippingCosts = { item_type: 'shipments' }

/** Of a state → what each start comes to, where it is no repetition of the state itself. */
const closed = 'invalid_transition'

const subjectOf = (columns: Row, lines: readonly Row[] = [shirt]): OrderSubject => ({
  order: { customer_id: 7, customer_email: null, ...columns },
  lines,
  now: new Date(0),
  unplaceable: [],
})

const cells = (more: Readonly<Record<string, string>>) => ({
  automatic: 'repeated',
  _pending: closed,
  _place: closed,
  _start_editing: closed,
  _stop_editing: closed,
  _approve: closed,
  _approve_and_capture: closed,
  _cancel: closed,
  ...more,
})

const approved = { _approve: 'repeated', _approve_and_capture: 'repeated' }

describe('every status of an order, with every trigger', () => {
  it('with a customer, goods and an authorized payment', async () => {
    const paid = { payment_status: 'authorized', fulfillment_status: 'unfulfilled' }
    expect(await transitionTable(orderStates, subjectOf(paid))).toEqual({
      draft: cells({ automatic: 'pending', _pending: 'pending' }),
      pending: cells({ _pending: 'repeated', _place: 'placed', _cancel: 'cancelled' }),
      editing: cells({ _start_editing: 'repeated', _stop_editing: 'placed', _cancel: 'cancelled' }),
      placing: cells({ _pending: 'pending', _place: 'repeated' }),
      placed: cells({
        _place: 'repeated',
        _start_editing: 'editing',
        _stop_editing: 'repeated',
        _approve: 'approved',
        _approve_and_capture: 'approved',
        _cancel: 'cancelled',
      }),
      approved: cells({ ...approved, _cancel: 'cancelled' }),
      cancelled: cells({ _cancel: 'repeated' }),
    })
  })

  it('without customer, goods and payment', async () => {
    const table = await transitionTable(orderStates, subjectOf({ customer_id: null }, []))
    expect(table.draft).toEqual(cells({ _pending: 'blank, blank' }))
    expect(table.pending).toMatchObject({ automatic: 'draft' })
    expect(table.placed).toMatchObject({
      _approve: 'invalid_payment_status',
      _approve_and_capture: 'invalid_payment_status',
      _cancel: 'cancelled',
    })
  })

  it('that cannot be placed', async () => {
    const subject = { ...subjectOf({}), unplaceable: [{ error: 'blank', message: "can't be blank" }] }
    const { pending } = await transitionTable(orderStates, subject)
    expect(pending['_place']).toBe('blank')
  })

  it('that is to be placed later', async () => {
    const { pending, draft } = await transitionTable(orderStates, subjectOf({ place_async: true }))
    expect([pending['_place'], draft['_place']]).toEqual(['placing', closed])
  })
})

test('a placed order is approved when it is paid for, and captured at once only when it is authorized', async () => {
  const outcomes = await Promise.all(
    paymentStates.states.map(async (payment) => {
      const { placed } = await transitionTable(orderStates, subjectOf({ payment_status: payment }))
      return [payment, placed['_approve'], placed['_approve_and_capture']]
    }),
  )
  const refused = 'invalid_payment_status'
  expect(outcomes).toEqual([
    ['unpaid', refused, refused],
    ['authorized', 'approved', 'approved'],
    ['partially_authorized', refused, refused],
    ['paid', 'approved', refused],
    ['partially_paid', refused, refused],
    ['voided', refused, refused],
    ['partially_voided', refused, refused],
    ['refunded', refused, refused],
    ['partially_refunded', 'approved', refused],
    ['free', 'approved', refused],
  ])
})

test('an approved order is cancelled while it is authorized and nothing of it is on its way', async () => {
  const cancellable: string[] = []
  for (const payment of paymentStates.states)
    for (const fulfillment of ['unfulfilled', 'in_progress', 'fulfilled', 'not_required']) {
      const columns = { status: 'approved', payment_status: payment, fulfillment_status: fulfillment }
      const start = { trigger: '_cancel' }
      const { set } = await transition(orderStates, columns, { start, subject: subjectOf(columns) })
      if (set['status'] === 'cancelled') cancellable.push(`${payment} ${fulfillment}`)
    }
  expect(cancellable).toEqual(['authorized unfulfilled', 'authorized not_required'])
})

test('placing freezes the total', async () => {
  const subject = subjectOf({ total_amount_with_taxes_cents: 1234 })
  const start = { trigger: '_place' }
  const { set, topics } = await transition(orderStates, { status: 'pending' }, { start, subject })
  expect(set).toEqual({ status: 'placed', placed_at: new Date(0), place_total_amount_cents: 1234 })
  expect(topics).toEqual(['orders.place'])
})

test('nobody places an order that was not checked', async () => {
  const subject = { order: {}, lines: [] }
  const start = { trigger: '_place' }
  await expect(transition(orderStates, { status: 'pending' }, { start, subject })).rejects.toThrow(
    'nobody checked',
  )
})

test.each(['_pending', '_start_editing', '_stop_editing', '_approve', '_approve_and_capture'])(
  'a sales channel does not start %s',
  async (trigger) => {
    const request = { start: { trigger }, subject: subjectOf({}), isSalesChannel: true }
    await expect(transition(orderStates, { status: 'placed' }, request)).rejects.toMatchObject({
      code: 'unauthorized',
    })
  },
)

test.each<[string, string, Row, readonly Row[]]>([
  ['a customer and an article', 'pending', { customer_id: 7 }, [shirt]],
  ['an email and an article', 'pending', { customer_email: 'ann@example.com' }, [shirt]],
  [
    'a gift card among other lines',
    'pending',
    { customer_id: 7 },
    [shippingCosts, { item_type: 'gift_cards' }],
  ],
  ['an article and no customer', 'draft', {}, [shirt]],
  ['an article and an empty email', 'draft', { customer_email: '' }, [shirt]],
  ['a customer and no line', 'draft', { customer_id: 7 }, []],
  ['a customer and nothing purchasable', 'draft', { customer_id: 7 }, [shippingCosts]],
])('an order with %s is %s', async (_case, status, columns, lines) => {
  const order = { customer_id: null, customer_email: null, ...columns }
  for (const before of ['draft', 'pending']) {
    const { set, topics } = await transition(
      orderStates,
      { status: before },
      { start: 'automatic', subject: { order, lines } },
    )
    expect([before, set, topics]).toEqual(
      before === status ? [before, {}, []] : [before, { status }, [`orders.${status}`]],
    )
  }
})

test('shipping methods are chosen while the order can be changed', () => {
  expect(METHODS_OPEN.toSorted()).toEqual(EDITABLE.toSorted())
})

describe('every transition of an order, with what it changes', () => {
  const now = new Date(0)
  const columns = {
    status: 'approved',
    payment_status: 'authorized',
    fulfillment_status: 'unfulfilled',
    total_amount_with_taxes_cents: 1234,
  }
  const placed = { status: 'placed', placed_at: now, place_total_amount_cents: 1234 }
  const approval = { status: 'approved', approved_at: now }
  const cancellation = { status: 'cancelled', cancelled_at: now }

  it('with a customer, goods and an authorized payment', async () => {
    expect(await transitionEffects(orderStates, subjectOf(columns))).toEqual({
      initial: 'draft',
      pending: ['code', 'draft', { status: 'pending' }, 'orders.pending'],
      draft: ['code', '', {}, ''],
      resume: ['integrations', 'draft placing', { status: 'pending' }, 'orders.pending'],
      place: ['anybody', 'pending', placed, 'orders.place'],
      beginPlacing: ['anybody', '', {}, ''],
      finishPlacing: ['code', 'placing', placed, 'orders.place'],
      startEditing: ['integrations', 'placed', { status: 'editing' }, 'orders.start_editing'],
      stopEditing: ['integrations', 'editing', { status: 'placed' }, 'orders.stop_editing'],
      approve: ['integrations', 'placed', approval, 'orders.approve'],
      approveAndCapture: ['integrations', 'placed', approval, 'orders.approve'],
      cancel: ['anybody', 'pending editing placed approved', cancellation, 'orders.cancel'],
      cancelGivenBack: ['code', 'editing placed approved', cancellation, 'orders.cancel'],
    })
  })

  it('without goods', async () => {
    expect(await transitionEffects(orderStates, subjectOf(columns, []))).toMatchObject({
      pending: ['code', '', {}, ''],
      draft: ['code', 'pending', { status: 'draft' }, 'orders.draft'],
      resume: ['integrations', '', {}, ''],
    })
  })

  it('that is to be placed later', async () => {
    expect(await transitionEffects(orderStates, subjectOf({ ...columns, place_async: true }))).toMatchObject({
      place: ['anybody', '', {}, ''],
      beginPlacing: ['anybody', 'pending', { status: 'placing' }, 'orders.placing'],
      finishPlacing: ['code', 'placing', placed, 'orders.place'],
    })
  })

  it('that cannot be placed', async () => {
    const unplaceable = [{ error: 'blank', message: "can't be blank" }]
    for (const place_async of [true, false]) {
      const subject = { ...subjectOf({ ...columns, place_async }), unplaceable }
      const none = { place: '', beginPlacing: '', finishPlacing: '', stopEditing: '' }
      const effects = await transitionEffects(orderStates, subject)
      for (const name of Object.keys(none)) expect([name, effects[name]?.[1]]).toEqual([name, ''])
    }
  })
})

describe('why an order', () => {
  const violationsOf = async (trigger: string, status: string, subject: OrderSubject) =>
    (await transition(orderStates, { status }, { start: { trigger }, subject })).violations

  it('does not become pending', async () => {
    const subject = subjectOf({ customer_id: null }, [])
    expect(await violationsOf('_pending', 'draft', subject)).toEqual([
      { at: { attribute: 'customer_email' }, error: 'blank', message: "can't be blank" },
      { at: { relationship: 'line_items' }, error: 'blank', message: 'must have something to sell' },
    ])
  })

  it.each([
    ['_approve', {}, 'authorized or paid or partially_refunded or free', 'unpaid'],
    ['_approve_and_capture', { payment_status: 'paid' }, 'authorized', 'paid'],
  ])('is not changed by %s', async (trigger, columns, allowed, value) => {
    expect(await violationsOf(trigger, 'placed', subjectOf(columns))).toEqual([
      {
        at: { attribute: trigger },
        error: 'invalid_payment_status',
        message: `needs a payment that is ${allowed}; it is ${value}`,
        value,
      },
    ])
  })

  it('is not cancelled', async () => {
    const columns = { status: 'approved', payment_status: 'paid', fulfillment_status: 'in_progress' }
    expect(await violationsOf('_cancel', 'approved', subjectOf(columns))).toEqual([
      {
        at: { attribute: '_cancel' },
        error: 'not_cancellable',
        message:
          'cannot be sent for an approved order that is paid and in_progress; it can while it is authorized and unfulfilled or not_required, later use _refund',
      },
    ])
  })
})

test('what a trigger needs is known beforehand', () => {
  const { approve, approveAndCapture, cancel } = orderStates.transitions
  expect(approve.needs).toEqual([{ payment_status: ['authorized', 'paid', 'partially_refunded', 'free'] }])
  expect(approveAndCapture.needs).toEqual([{ payment_status: ['authorized'] }])
  expect(cancel.needs).toEqual([
    { status: ['pending', 'placed', 'editing'] },
    {
      status: ['approved'],
      payment_status: ['authorized'],
      fulfillment_status: ['unfulfilled', 'not_required'],
    },
  ])
})

test.each([
  ['draft', 'orders.draft'],
  ['pending', 'orders.pending'],
  ['editing', 'orders.start_editing'],
  ['placing', 'orders.placing'],
  ['placed', 'orders.place'],
  ['approved', 'orders.approve'],
  ['cancelled', 'orders.cancel'],
])('an order that is made or imported as %s emits %s once', (status, topic) => {
  expect(topicsWithoutTransition(undefined, { status })).toEqual([topic])
  expect(topicsWithoutTransition({ status: 'other' }, { status })).toEqual([topic])
  expect(topicsWithoutTransition({ status }, { status })).toEqual([])
})

test('an order without a known status emits nothing', () => {
  expect(topicsWithoutTransition(undefined, { status: 'other' })).toEqual([])
  expect(topicsWithoutTransition({ status: 'draft' }, { status: 'other' })).toEqual([])
})

test('what the statuses allow', () => {
  expect({ IN_THE_MAKING, PLACED, EDITABLE }).toEqual({
    IN_THE_MAKING: ['draft', 'pending'],
    PLACED: ['placed', 'editing', 'approved'],
    EDITABLE: ['draft', 'pending', 'editing'],
  })
})
