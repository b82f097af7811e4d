import { transitionTable } from '../../test/support/transition-table.ts'
import { stockReservationStates } from './stock-reservation-states.ts'
import { stockTransferStates } from './stock-transfer-states.ts'

const [same, x] = ['repeated', 'invalid_transition']

const cells = ([upcoming, hold, pick, send, complete, cancel]: readonly (string | undefined)[]) => ({
  _upcoming: upcoming,
  _on_hold: hold,
  _picking: pick,
  _in_transit: send,
  _complete: complete,
  _cancel: cancel,
})

test('every status of a stock transfer, with every trigger', async () => {
  expect(await transitionTable(stockTransferStates, { now: new Date(0) })).toEqual({
    draft: cells(['upcoming', x, x, x, x, 'cancelled']),
    upcoming: cells([same, 'on_hold', 'picking', x, x, 'cancelled']),
    on_hold: cells([x, same, 'picking', x, x, 'cancelled']),
    picking: cells([x, 'on_hold', same, 'in_transit', x, 'cancelled']),
    in_transit: cells([x, x, x, same, 'completed', 'cancelled']),
    completed: cells([x, x, x, x, same, x]),
    cancelled: cells([x, x, x, x, x, same]),
  })
})

test('every status of a stock reservation, with every trigger', async () => {
  expect(await transitionTable(stockReservationStates, {})).toEqual({
    draft: { _pending: 'pending' },
    pending: { _pending: same },
  })
})
