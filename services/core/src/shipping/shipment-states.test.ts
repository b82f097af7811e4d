import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import { transition } from '../states/transition.ts'
import { SHIPMENT_ENDED, shipmentStates } from './shipment-states.ts'

const now = new Date(0)
const closed = 'invalid_transition'

/** `automatic` first, then the triggers in the order of the machine. */
const cells = (
  automatic: string,
  [upcoming, hold, pick, pack, ready, ship, deliver, cancel]: readonly (string | undefined)[],
) => ({
  automatic,
  _upcoming: upcoming,
  _on_hold: hold,
  _picking: pick,
  _packing: pack,
  _ready_to_ship: ready,
  _ship: ship,
  _deliver: deliver,
  _cancel: cancel,
})

const [same, x] = ['repeated', closed]

test('every status of a shipment, with every trigger', async () => {
  expect(await transitionTable(shipmentStates, { shipment: {}, now })).toEqual({
    draft: cells(same, ['upcoming', x, x, x, x, x, x, 'cancelled']),
    upcoming: cells(same, [same, 'on_hold', 'picking', x, x, x, x, 'cancelled']),
    cancelled: cells(same, [x, x, x, x, x, x, x, same]),
    on_hold: cells(same, [x, same, 'picking', x, x, x, x, 'cancelled']),
    picking: cells(same, [x, 'on_hold', same, 'packing', x, x, x, 'cancelled']),
    packing: cells(same, [x, x, 'picking', same, 'ready_to_ship', x, x, 'cancelled']),
    ready_to_ship: cells(same, [x, x, 'picking', x, same, 'shipped', x, 'cancelled']),
    shipped: cells(same, [x, x, x, x, x, same, 'delivered', x]),
    delivered: cells(same, [x, x, x, x, x, x, same, x]),
  })
})

test('a shipment that has to wait is put on hold until it is picked', async () => {
  const table = await transitionTable(shipmentStates, { shipment: {}, now, isHeld: true })
  expect(Object.entries(table).map(([status, { automatic }]) => [status, automatic])).toEqual([
    ['draft', 'on_hold'],
    ['upcoming', 'on_hold'],
    ...['cancelled', 'on_hold', 'picking', 'packing', 'ready_to_ship', 'shipped', 'delivered'].map(
      (status) => [status, same],
    ),
  ])
})

test('nothing is picked before its transfers are completed', async () => {
  const subject = { shipment: {}, now, openTransfers: 2 }
  const start = { trigger: '_picking' }
  const { violations } = await transition(shipmentStates, { status: 'upcoming' }, { start, subject })
  expect(violations).toEqual([
    {
      at: { relationship: 'stock_transfers' },
      error: 'not_completed',
      message: 'must be completed or cancelled; 2 are not',
      count: 2,
    },
  ])
})

test('every transition of a shipment, with what it changes', async () => {
  const to = (status: string, column: string) => ({ status, [column]: now })
  expect(await transitionEffects(shipmentStates, { shipment: {}, now, isHeld: true })).toEqual({
    initial: 'draft',
    upcoming: ['integrations', 'draft', { status: 'upcoming' }, 'shipments.upcoming'],
    hold: ['integrations', 'upcoming picking', to('on_hold', 'on_hold_at'), 'shipments.on_hold'],
    pick: [
      'integrations',
      'upcoming on_hold packing ready_to_ship',
      to('picking', 'picking_at'),
      'shipments.picking',
    ],
    pack: ['integrations', 'picking', to('packing', 'packing_at'), 'shipments.packing'],
    ready: ['integrations', 'packing', to('ready_to_ship', 'ready_to_ship_at'), 'shipments.ready_to_ship'],
    ship: ['integrations', 'ready_to_ship', to('shipped', 'shipped_at'), 'shipments.ship'],
    deliver: ['integrations', 'shipped', to('delivered', 'delivered_at'), 'shipments.deliver'],
    cancel: [
      'integrations',
      'draft upcoming on_hold picking packing ready_to_ship',
      to('cancelled', 'cancelled_at'),
      'shipments.cancel',
    ],
    startHeld: ['code', 'draft upcoming', to('on_hold', 'on_hold_at'), 'shipments.on_hold'],
  })
  expect(SHIPMENT_ENDED).toEqual(['shipped', 'delivered', 'cancelled'])
})
