import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import { transition } from '../states/transition.ts'
import { GIVEN_UP, returnStates, TAKEN_BACK } from './return-states.ts'

const [same, x] = ['repeated', 'invalid_transition']
const now = new Date('2026-11-28T12:00:00Z')
const complete = { now, linesCount: 1, stockLocation: 1 }

test('every status of a return, with every trigger', async () => {
  const none = { _request: x, _approve: x, _cancel: x, _ship: x, _reject: x, _receive: x, _refund: x }
  expect(await transitionTable(returnStates, complete)).toEqual({
    draft: { ...none, _request: 'requested' },
    requested: { ...none, _request: same, _approve: 'approved', _cancel: 'cancelled' },
    approved: { ...none, _approve: same, _ship: 'shipped' },
    shipped: { ...none, _ship: same, _reject: 'rejected', _receive: 'received' },
    rejected: { ...none, _reject: same },
    received: { ...none, _receive: same, _refund: 'refunded' },
    refunded: { ...none, _refund: same },
    cancelled: { ...none, _cancel: same },
  })
})

test('a return that lacks goods and a place says both', async () => {
  const start = { trigger: '_request' }
  const { violations } = await transition(returnStates, { status: 'draft' }, { start, subject: { now } })
  expect(violations).toEqual([
    {
      at: { relationship: 'return_line_items' },
      error: 'blank',
      message: 'must have something to return',
    },
    {
      at: { relationship: 'stock_location' },
      error: 'blank',
      message: "can't be blank: the inventory model of the order's market has no return location",
    },
  ])
})

test('every transition of a return, with what it changes', async () => {
  const to = (status: string, column: string) => ({ status, [column]: now })
  expect(await transitionEffects(returnStates, complete)).toEqual({
    initial: 'draft',
    request: ['anybody', 'draft', { status: 'requested' }, 'returns.request'],
    approve: ['integrations', 'requested', to('approved', 'approved_at'), 'returns.approve'],
    cancel: ['integrations', 'requested', to('cancelled', 'cancelled_at'), ''],
    ship: ['integrations', 'approved', to('shipped', 'shipped_at'), 'returns.ship'],
    reject: ['integrations', 'shipped', to('rejected', 'rejected_at'), 'returns.reject'],
    receive: ['integrations', 'shipped', to('received', 'received_at'), 'returns.receive'],
    refund: ['integrations', 'received', to('refunded', 'refunded_at'), ''],
  })
})

test('what is given up can be returned again, and what was received is there', () => {
  expect([GIVEN_UP, TAKEN_BACK]).toEqual([
    ['cancelled', 'rejected'],
    ['received', 'refunded'],
  ])
})
