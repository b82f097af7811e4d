import { labelOf, makesSense, triggersOf, triggersOfOrder } from './triggers.ts'

const order = (status: string, payment_status: string, fulfillment_status = 'unfulfilled') => ({
  status,
  payment_status,
  fulfillment_status,
})

describe('the triggers of a record', () => {
  it.each([
    [order('placed', 'authorized'), '_start_editing _approve _approve_and_capture _cancel'],
    [order('placed', 'unpaid'), '_start_editing _cancel'],
    [order('approved', 'authorized'), '_cancel _capture'],
    [order('approved', 'paid', 'in_progress'), '_fulfill _refund'],
    [order('cancelled', 'voided'), ''],
  ])('%j has %s', (record, triggers) => {
    expect(triggersOf('orders', record).join(' ')).toBe(triggers)
  })

  it('are those of its type', () => {
    expect(triggersOf('shipments', { status: 'packing' })).toEqual(['_picking', '_ready_to_ship', '_cancel'])
  })

  it('of an order put it away, or take it out again', () => {
    expect(triggersOfOrder({ ...order('approved', 'unpaid'), archived_at: null })).toEqual(['_archive'])
    expect(triggersOfOrder({ status: 'approved', archived_at: '2026-11-01T00:00:00Z' })).toEqual([
      '_unarchive',
    ])
  })

  it('make sense when they change something', () => {
    expect(makesSense('_enable', { disabled_at: null })).toBe(false)
    expect(makesSense('_disable', {})).toBe(true)
    expect(makesSense('_refresh', {})).toBe(true)
  })

  it('are labelled as words', () => {
    expect(labelOf('_approve_and_capture')).toBe('Approve and capture')
  })
})
