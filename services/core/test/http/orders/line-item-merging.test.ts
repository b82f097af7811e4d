/** `_update_quantity`: a line is added to where it differs in its quantity alone, and is a line of its own otherwise. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('line_item_merging')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { draft, add, orderOf } = orderCalls(() => core)

describe('a line of a SKU', () => {
  it('is added to when `_update_quantity` is sent, a second one otherwise', async () => {
    const order = await draft()
    const first = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 2 })).data.id
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
    const more = await add(core.tokens.admin, order, {
      sku_code: 'SKU-A',
      quantity: 3,
      _update_quantity: true,
    })
    expect([more.status, singleOf(more).data.id]).toEqual([201, first])
    expect(attributesOf(more)).toMatchObject({ quantity: 5, total_amount_cents: 25_000 })
    expect((await orderOf(order))['total_amount_cents']).toBe(30_000)
    const other = await add(core.tokens.admin, order, {
      sku_code: 'SKU-B',
      quantity: 1,
      _update_quantity: true,
    })
    expect(attributesOf(other)['quantity']).toBe(1)
    const tooMany = await add(core.tokens.admin, order, {
      sku_code: 'SKU-A',
      quantity: 3,
      _update_quantity: true,
    })
    expect(at(tooMany)).toEqual([['422', '/data/attributes/quantity', 'out_of_stock']])
  })

  it.each<[string, Body, Body]>([
    ['metadata', { metadata: { colour: 'White' } }, { metadata: { colour: 'Black' } }],
    ['no metadata', { metadata: { colour: 'White' } }, {}],
    ['reference', { reference: 'A' }, { reference: 'B' }],
    ['origin of its reference', { reference_origin: 'A' }, { reference_origin: 'B' }],
    ['name', { name: 'Shirt for Ann' }, { name: 'Shirt for Bob' }],
    ['name of the SKU', { name: 'Shirt for Ann' }, {}],
    ['amount', { unit_amount_cents: 100 }, { unit_amount_cents: 900 }],
    ['amount to compare with', { compare_at_amount_cents: 100 }, { compare_at_amount_cents: 900 }],
  ])('of another %s is a line of its own, the same again is added to it', async (_name, first, second) => {
    const order = await draft()
    const addOne = (attributes: Body) =>
      add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1, _update_quantity: true, ...attributes })
    const one = await addOne(first)
    const other = await addOne(second)
    expect([one.status, other.status]).toEqual([201, 201])
    expect(singleOf(other).data.id).not.toBe(singleOf(one).data.id)
    expect(attributesOf(other)).toMatchObject({ quantity: 1, ...second })
    const again = await addOne(second)
    expect(singleOf(again).data.id).toBe(singleOf(other).data.id)
    expect(attributesOf(again)).toMatchObject({ quantity: 2, ...second })
  })

  it('with an amount of its own is not added to by one with the price, nor the other way round', async () => {
    const order = await draft()
    const addOne = async (attributes: Body = {}) =>
      singleOf(
        await add(core.tokens.admin, order, {
          sku_code: 'SKU-A',
          quantity: 1,
          _update_quantity: true,
          ...attributes,
        }),
      ).data
    const gift = await addOne({ unit_amount_cents: 100 })
    const bought = await addOne()
    expect([bought.id === gift.id, bought.attributes['unit_amount_cents']]).toEqual([false, 5000])
    expect((await addOne()).id).toBe(bought.id)
    expect((await addOne({ unit_amount_cents: 100 })).id).toBe(gift.id)
    const atPrice = await addOne({ unit_amount_cents: 5000 })
    expect([gift.id, bought.id]).not.toContain(atPrice.id)
    expect((await orderOf(order))['total_amount_cents']).toBe(200 + 10_000 + 5000)
  })

  it('that is added six times at once with the same metadata is one line', async () => {
    const order = await draft()
    const engraved = { sku_code: 'SKU-D', quantity: 1, _update_quantity: true, metadata: { a: 1, b: [2] } }
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => add(core.tokens.admin, order, engraved)),
    )
    expect(new Set(responses.map((response) => singleOf(response).data.id)).size).toBe(1)
    const quantities = responses.map((response) => Number(attributesOf(response)['quantity']))
    expect(quantities.toSorted()).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('that grows out of range is refused like a quantity that is sent at once', async () => {
    const order = await draft()
    const line = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity: 1 })).data.id
    await core.pool.query('UPDATE line_items SET quantity = 2147483647 WHERE id = $1', [
      decodeId('line_items', line),
    ])
    const more = { sku_code: 'SKU-D', quantity: 1, _update_quantity: true }
    const grown = await add(core.tokens.admin, order, more)
    const sent = await add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity: 2_147_483_648 })
    expect(at(grown)).toEqual([['422', '/data/attributes/quantity', 'less_than_or_equal_to']])
    expect(errorsOf(grown)[0]?.meta).toMatchObject({ value: 2_147_483_648, count: 2_147_483_647 })
    expect(errorsOf(grown)).toEqual(errorsOf(sent))
  })
})
