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
