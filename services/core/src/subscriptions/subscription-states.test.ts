import { transitionTable } from '../../test/support/transition-table.ts'
import { rowOf } from '../engine/database/rows.ts'
import { inStockStates } from './in-stock-states.ts'
import { orderCopyStates, recurringOrderCopyStates } from './order-factory-states.ts'
import { orderSubscriptionStates } from './order-subscription-states.ts'

const [same, x] = ['repeated', 'invalid_transition']

test('every status of an in-stock subscription, with every trigger', async () => {
  expect(await transitionTable(inStockStates, {})).toEqual({
    active: { _activate: same, _deactivate: 'inactive' },
    inactive: { _activate: 'active', _deactivate: same },
    notified: { _activate: x, _deactivate: x },
  })
})

test('every status of a subscription, with every trigger', async () => {
  const subscription = rowOf('OrderSubscription', {
    frequency: 'monthly',
    anchor_at: null,
    starts_at: new Date('2026-01-31T08:00:00Z'),
    expires_at: null,
    last_run_at: null,
  })
  const now = new Date('2026-02-10T00:00:00Z')
  expect(await transitionTable(orderSubscriptionStates, { subscription, now })).toEqual({
    draft: { _activate: 'active', _deactivate: x, _cancel: 'cancelled' },
    inactive: { _activate: 'active', _deactivate: same, _cancel: 'cancelled' },
    active: { _activate: same, _deactivate: 'inactive', _cancel: 'cancelled' },
    running: { _activate: x, _deactivate: x, _cancel: 'cancelled' },
    cancelled: { _activate: x, _deactivate: x, _cancel: same },
  })
})

test.each([orderCopyStates, recurringOrderCopyStates])(
  'a copy is moved by workers alone, and has no triggers',
  async (machine) => {
    expect(await transitionTable(machine, { now: new Date(0) })).toEqual(
      Object.fromEntries(machine.states.map((state) => [state, {}])),
    )
  },
)
