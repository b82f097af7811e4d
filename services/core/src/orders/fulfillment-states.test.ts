import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import { transition } from '../states/transition.ts'
import { fulfillmentStates } from './fulfillment-states.ts'
import type { FulfillmentSubject } from './fulfillment-states.ts'

const subjectOf = (
  status: string,
  payment: string,
  more: Partial<FulfillmentSubject> = {},
): FulfillmentSubject => ({
  order: { status, payment_status: payment },
  now: new Date(0),
  requiresCapture: true,
  hasGoodsToShip: true,
  shipments: [],
  ...more,
})

const closed = 'invalid_transition'
const cells = (automatic: string, fulfill: string) => ({ automatic, _fulfill: fulfill })

describe('every fulfillment status, with every trigger', () => {
  it('of an approved and paid order', async () => {
    const shipments = [{ isEnded: true }, { isEnded: false }]
    expect(await transitionTable(fulfillmentStates, subjectOf('approved', 'paid', { shipments }))).toEqual({
      unfulfilled: cells('in_progress', closed),
      in_progress: cells('repeated', 'fulfilled'),
      fulfilled: cells('repeated', 'repeated'),
      not_required: cells('unfulfilled', closed),
    })
  })

  it('of an order whose shipments have all left', async () => {
    const shipments = [{ isEnded: true }, { isEnded: true }]
    const table = await transitionTable(fulfillmentStates, subjectOf('approved', 'paid', { shipments }))
    expect(table.in_progress).toEqual(cells('fulfilled', 'fulfilled'))
  })

  it('of an order with nothing to ship', async () => {
    const table = await transitionTable(
      fulfillmentStates,
      subjectOf('placed', 'authorized', { hasGoodsToShip: false }),
    )
    expect(table.unfulfilled).toEqual(cells('not_required', closed))
    expect(table.not_required).toEqual(cells('repeated', closed))
  })
})

test.each<[string, string, boolean, string | undefined]>([
  ['pending', 'authorized', false, undefined],
  ['placed', 'paid', true, undefined],
  ['approved', 'authorized', true, undefined],
  ['approved', 'authorized', false, 'in_progress'],
  ['approved', 'partially_paid', false, undefined],
  ['approved', 'paid', true, 'in_progress'],
  ['approved', 'partially_refunded', true, 'in_progress'],
  ['approved', 'free', true, 'in_progress'],
  ['cancelled', 'refunded', true, undefined],
])('an order that is %s and %s, capture required: %s → %s', async (status, payment, requiresCapture, to) => {
  const subject = subjectOf(status, payment, { requiresCapture })
  const { set, topics } = await transition(
    fulfillmentStates,
    { fulfillment_status: 'unfulfilled' },
    { start: 'automatic', subject },
  )
  expect(set['fulfillment_status']).toBe(to)
  expect(topics).toEqual(to === undefined ? [] : ['orders.start_fulfilling'])
})

describe('every transition of a fulfillment status, with what it changes', () => {
  const to = (fulfillment_status: string) => ({ fulfillment_status, fulfillment_updated_at: new Date(0) })

  it('of an order whose shipments have all left', async () => {
    const subject = subjectOf('approved', 'paid', { shipments: [{ isEnded: true }] })
    expect(await transitionEffects(fulfillmentStates, subject)).toEqual({
      initial: 'unfulfilled',
      waive: ['code', '', {}, ''],
      require: ['code', 'not_required', to('unfulfilled'), ''],
      start: ['code', 'unfulfilled', to('in_progress'), 'orders.start_fulfilling'],
      complete: ['code', 'in_progress', to('fulfilled'), 'orders.fulfill'],
      fulfill: ['integrations', 'in_progress', to('fulfilled'), 'orders.fulfill'],
      cancel: ['code', 'in_progress', to('unfulfilled'), 'orders.cancel_fulfilling'],
    })
  })

  it.each([
    ['placed', 'unfulfilled'],
    ['editing', 'unfulfilled'],
    ['approved', 'unfulfilled'],
    ['pending', ''],
    ['cancelled', ''],
  ])('of an order with nothing to ship that is %s', async (status, from) => {
    const effects = await transitionEffects(
      fulfillmentStates,
      subjectOf(status, 'paid', { hasGoodsToShip: false }),
    )
    expect(effects).toMatchObject({
      waive: ['code', from, from === '' ? {} : to('not_required'), ''],
      require: ['code', '', {}, ''],
      complete: ['code', '', {}, ''],
    })
  })
})

test('an order is not fulfilled before its transfers are completed', async () => {
  const subject = subjectOf('approved', 'paid', { openTransfers: 2 })
  const row = { fulfillment_status: 'in_progress' }
  const { violations } = await transition(fulfillmentStates, row, { start: { trigger: '_fulfill' }, subject })
  expect(violations).toEqual([
    {
      at: { relationship: 'stock_transfers' },
      error: 'not_completed',
      message: 'must be completed or cancelled; 2 are not',
      count: 2,
    },
  ])
})
