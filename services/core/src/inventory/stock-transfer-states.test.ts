import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import { stockReservationStates } from './stock-reservation-states.ts'
import { stockTransferStates, TRANSFER_ENDED } from './stock-transfer-states.ts'

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

test('every transition of a stock transfer, with what it changes', async () => {
  const now = new Date(0)
  const to = (status: string, column: string) => ({ status, [column]: now })
  expect(await transitionEffects(stockTransferStates, { now })).toEqual({
    initial: 'draft',
    upcoming: ['integrations', 'draft', { status: 'upcoming' }, 'stock_transfers.upcoming'],
    hold: ['integrations', 'upcoming picking', to('on_hold', 'on_hold_at'), 'stock_transfers.on_hold'],
    pick: ['integrations', 'upcoming on_hold', to('picking', 'picking_at'), 'stock_transfers.picking'],
    send: ['integrations', 'picking', to('in_transit', 'in_transit_at'), 'stock_transfers.in_transit'],
    complete: ['integrations', 'in_transit', to('completed', 'completed_at'), 'stock_transfers.complete'],
    cancel: [
      'integrations',
      'draft upcoming on_hold picking in_transit',
      to('cancelled', 'cancelled_at'),
      'stock_transfers.cancel',
    ],
  })
  expect(TRANSFER_ENDED).toEqual(['completed', 'cancelled'])
})

test('a stock reservation that is pending does not expire', async () => {
  expect(await transitionEffects(stockReservationStates, {})).toEqual({
    initial: 'draft',
    pending: ['anybody', 'draft', { status: 'pending', expires_at: null }, ''],
  })
})
