import { transitionTable } from '../../test/support/transition-table.ts'
import { transition } from '../states/transition.ts'
import { returnStates } from './return-states.ts'

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
  expect(violations.map(({ at, error }) => [at, error])).toEqual([
    [{ relationship: 'return_line_items' }, 'blank'],
    [{ relationship: 'stock_location' }, 'blank'],
  ])
})
