import type { Row } from '@merx/jsonapi/attributes'
import { transitionTable } from '../../test/support/transition-table.ts'
import { METHODS_OPEN } from '../shipping/shipment-place.ts'
import { transition } from '../states/transition.ts'
import { EDITABLE, orderStates } from './order-states.ts'

const shirt = { item_type: 'skus' }
const shippingCosts = { item_type: 'shipments' }
const ordered = { order: { customer_id: 7, customer_email: null }, lines: [shirt] }
const empty = { order: { customer_id: null, customer_email: null }, lines: [] }

const unchanged = {
  editing: { automatic: 'repeated' },
  placing: { automatic: 'repeated' },
  placed: { automatic: 'repeated' },
  approved: { automatic: 'repeated' },
  cancelled: { automatic: 'repeated' },
}

describe('every status of an order', () => {
  it('with a customer and goods', async () => {
    expect(await transitionTable(orderStates, ordered)).toEqual({
      draft: { automatic: 'pending' },
      pending: { automatic: 'repeated' },
      ...unchanged,
    })
  })

  it('without a customer and goods', async () => {
    expect(await transitionTable(orderStates, empty)).toEqual({
      draft: { automatic: 'repeated' },
      pending: { automatic: 'draft' },
      ...unchanged,
    })
  })
})

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
