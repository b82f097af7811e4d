/** Price list schedulers: another price list for a market, for a while. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { jumpingClock } from '../subscriptions/subscription-calls.ts'
import { at, attributesOf, one } from '../support/order-calls.ts'
import { BASE, OTHER_SALE, SALE, schedulerCalls } from './scheduler-calls.ts'

/** The clock begins at noon of the 20th. */
const NOON = '2026-11-20T12:00:00.000Z'
const YESTERDAY = '2026-11-19T00:00:00Z'
const TOMORROW = '2026-11-21T00:00:00Z'
const LATER = '2026-11-22T00:00:00Z'

const { clock, jumpTo } = jumpingClock()
let core: TestCore

beforeAll(async () => {
  core = await openCore('price_list_schedulers', { clock })
})
beforeEach(async () => {
  jumpTo(NOON)
  await reseedShop(core.pool)
  await addLists()
})
afterAll(() => core.close())

const { create, scheduled, change, remove, changeMarket, changeList, sweepAt, listsOf, eventsOf, addLists } =
  schedulerCalls(() => core, jumpTo)

describe('a scheduler', () => {
  it('that starts later changes nothing yet', async () => {
    const response = await create(TOMORROW, LATER)
    expect(response.status).toBe(201)
    expect(attributesOf(response)).toMatchObject({
      name: 'Sale',
      starts_at: '2026-11-21T00:00:00.000Z',
      expires_at: '2026-11-22T00:00:00.000Z',
      status: 'pending',
      active: false,
      disabled_at: null,
    })
    expect(await listsOf()).toEqual([BASE, BASE])
    expect(await eventsOf(singleOf(response).data.id)).toEqual([])
  })

  it('that has started puts its list in force at once', async () => {
    const response = await create(YESTERDAY, LATER)
    expect(attributesOf(response)).toMatchObject({ status: 'active', active: true })
    expect(await listsOf()).toEqual([SALE, BASE])
    expect(await eventsOf(singleOf(response).data.id)).toEqual(['price_list_schedulers.activated'])
  })

  it('that is over was never active', async () => {
    const response = await create('2026-11-01T00:00:00Z', YESTERDAY)
    expect(attributesOf(response)).toMatchObject({ status: 'expired', active: false })
    expect(await listsOf()).toEqual([BASE, BASE])
    expect(await eventsOf(singleOf(response).data.id)).toEqual([])
  })

  it('begins and ends with the minute of its dates', async () => {
    const id = await scheduled(TOMORROW, LATER)
    await sweepAt('2026-11-20T23:59:00Z')
    expect(await listsOf()).toEqual([BASE, BASE])
    await sweepAt('2026-11-21T00:00:00Z')
    expect(await listsOf()).toEqual([SALE, BASE])
    await sweepAt('2026-11-21T23:59:59Z')
    expect(await listsOf()).toEqual([SALE, BASE])
    expect(await eventsOf(id)).toEqual(['price_list_schedulers.activated'])
    await sweepAt('2026-11-22T00:00:00Z')
    expect(await listsOf()).toEqual([BASE, BASE])
    expect(await eventsOf(id)).toEqual(['price_list_schedulers.activated', 'price_list_schedulers.expired'])
  })

  it('that nobody swept in time has expired without having been active', async () => {
    const id = await scheduled(TOMORROW, LATER)
    await sweepAt('2026-12-01T00:00:00Z')
    expect(await listsOf()).toEqual([BASE, BASE])
    expect(await eventsOf(id)).toEqual(['price_list_schedulers.expired'])
  })

  it('is swept once, however often the sweep comes', async () => {
    const id = await scheduled(TOMORROW, LATER)
    for (const minute of ['00:00', '00:00', '00:01']) await sweepAt(`2026-11-21T${minute}:00Z`)
    expect(await eventsOf(id)).toEqual(['price_list_schedulers.activated'])
    const { rows } = await core.pool.query(
      `SELECT count(*)::int AS count FROM versions WHERE resource_type = 'markets' AND event = 'update'`,
    )
    expect(rows).toEqual([{ count: 1 }])
  })
})

describe('schedulers that overlap', () => {
  const both = async (one: readonly [string, string], other: readonly [string, string]) => {
    await scheduled(...one, SALE)
    await scheduled(...other, OTHER_SALE)
  }

  it.each([
    ['the earliest start wins', ['2026-11-18T00:00:00Z', LATER], [YESTERDAY, LATER], SALE],
    ['whichever was made first', [YESTERDAY, LATER], ['2026-11-18T00:00:00Z', LATER], OTHER_SALE],
    ['then the earliest end', [YESTERDAY, LATER], [YESTERDAY, TOMORROW], OTHER_SALE],
    ['then the older one', [YESTERDAY, LATER], [YESTERDAY, LATER], SALE],
  ] as const)('%s', async (_rule, first, second, expected) => {
    await both(first, second)
    expect(await listsOf()).toEqual([expected, BASE])
  })

  it('follow each other when the first one ends', async () => {
    await both([YESTERDAY, TOMORROW], ['2026-11-20T00:00:00Z', LATER])
    expect(await listsOf()).toEqual([SALE, BASE])
    await sweepAt(TOMORROW)
    expect(await listsOf()).toEqual([OTHER_SALE, BASE])
    await sweepAt(LATER)
    expect(await listsOf()).toEqual([BASE, BASE])
  })

  it('wait for each other when they are made at the same moment', async () => {
    const answers = await Promise.all([
      create('2026-11-18T00:00:00Z', LATER, SALE),
      ...Array.from({ length: 5 }, () => create(YESTERDAY, LATER, OTHER_SALE)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
    expect(await listsOf()).toEqual([SALE, BASE])
  })

  it('of other markets do not matter', async () => {
    await scheduled(YESTERDAY, LATER, SALE, {}, 4)
    expect([await listsOf(1), await listsOf(4)]).toEqual([
      [BASE, BASE],
      [SALE, BASE],
    ])
  })
})

describe('an active scheduler', () => {
  let id: string
  beforeEach(async () => {
    id = await scheduled(YESTERDAY, LATER)
  })

  it('gives the list back when it is deleted', async () => {
    expect((await remove(id)).status).toBe(204)
    expect(await listsOf()).toEqual([BASE, BASE])
  })

  it('gives the list to the next one when it is deleted', async () => {
    await scheduled('2026-11-20T00:00:00Z', LATER, OTHER_SALE)
    await remove(id)
    expect(await listsOf()).toEqual([OTHER_SALE, BASE])
  })

  it('gives the list back while it is disabled', async () => {
    const disabled = attributesOf(await change(id, { _disable: true }))
    expect(disabled).toMatchObject({ status: 'disabled', active: false, disabled_at: NOON })
    expect(await listsOf()).toEqual([BASE, BASE])
    await sweepAt('2026-11-20T13:00:00Z')
    expect(await listsOf()).toEqual([BASE, BASE])
    expect(attributesOf(await change(id, { _enable: true }))).toMatchObject({ status: 'active' })
    expect(await listsOf()).toEqual([SALE, BASE])
    expect(await eventsOf(id)).toEqual(['price_list_schedulers.activated', 'price_list_schedulers.activated'])
  })

  it.each([
    ['its start is moved to the future', { starts_at: TOMORROW }, [BASE, BASE], []],
    [
      'its end is moved to the past',
      { expires_at: '2026-11-20T00:00:00Z' },
      [BASE, BASE],
      ['price_list_schedulers.expired'],
    ],
    ['its end is moved further', { expires_at: '2027-01-01T00:00:00Z' }, [SALE, BASE], []],
  ] as const)('follows when %s', async (_what, attributes, lists, events) => {
    expect((await change(id, attributes)).status).toBe(200)
    expect(await listsOf()).toEqual(lists)
    expect(await eventsOf(id)).toEqual(['price_list_schedulers.activated', ...events])
  })

  it('puts another list in force when it gets one', async () => {
    expect((await change(id, {}, { price_list: one('price_lists', OTHER_SALE) })).status).toBe(200)
    expect(await listsOf()).toEqual([OTHER_SALE, BASE])
  })

  it('goes to another market, and both have the right list', async () => {
    expect((await change(id, {}, { market: one('markets', 4) })).status).toBe(200)
    expect([await listsOf(1), await listsOf(4)]).toEqual([
      [BASE, BASE],
      [SALE, BASE],
    ])
  })

  it('keeps its market and its list from being deleted', async () => {
    const admin = core.tokens.admin
    const list = await core.send('DELETE', `/api/price_lists/${encodeId('price_lists', SALE)}`, admin)
    expect([list.status, errorsOf(list)[0]?.detail]).toEqual([
      423,
      'Cannot be deleted because dependent prices exist',
    ])
    await core.pool.query(`DELETE FROM prices WHERE price_list_id = ${SALE}`)
    for (const path of [
      `price_lists/${encodeId('price_lists', SALE)}`,
      `markets/${encodeId('markets', 4)}`,
    ]) {
      await change(id, {}, { market: one('markets', 4) })
      const response = await core.send('DELETE', `/api/${path}`, admin)
      expect([response.status, errorsOf(response)[0]?.detail]).toEqual([
        423,
        'Cannot be deleted because dependent price_list_schedulers exist',
      ])
    }
  })
})

describe('the price list of a market while a scheduler is active', () => {
  beforeEach(async () => {
    await scheduled(YESTERDAY, LATER)
  })

  it('is written as the base list, and stays the one in force', async () => {
    expect((await changeMarket({ price_list: one('price_lists', OTHER_SALE) })).status).toBe(200)
    expect(await listsOf()).toEqual([SALE, OTHER_SALE])
    await sweepAt(LATER)
    expect(await listsOf()).toEqual([OTHER_SALE, OTHER_SALE])
  })

  it('can be sent as it was read', async () => {
    expect((await changeMarket({ price_list: one('price_lists', SALE) })).status).toBe(200)
    expect(await listsOf()).toEqual([SALE, BASE])
  })

  it('is of the same currency', async () => {
    const response = await changeMarket({ price_list: one('price_lists', 2) })
    expect(at(response)).toEqual([['422', '/data/relationships/price_list', 'currency_mismatch']])
    expect(errorsOf(response)[0]?.title).toBe(
      'is in USD, and must be in EUR, as those of its price list schedulers',
    )
    expect(await listsOf()).toEqual([SALE, BASE])
  })
})

describe('the price list of a market', () => {
  it('is its base list as long as it has no scheduler', async () => {
    expect((await changeMarket({ price_list: one('price_lists', 2) })).status).toBe(200)
    expect(await listsOf()).toEqual([2, 2])
  })

  it('is its base list from the start', async () => {
    const data = {
      type: 'markets',
      attributes: { name: 'New' },
      relationships: {
        merchant: one('merchants', 1),
        price_list: one('price_lists', SALE),
        inventory_model: one('inventory_models', 1),
      },
    }
    await core.pool.query("SELECT next_number('markets', 1) FROM generate_series(1, 4)")
    const path = '/api/markets?include=price_list,base_price_list'
    const { relationships } = singleOf(await core.send('POST', path, core.tokens.admin, { data })).data
    for (const name of ['price_list', 'base_price_list'])
      expect(relationships?.[name]?.data).toEqual(one('price_lists', SALE).data)
  })

  it('cannot be given as the base list', async () => {
    const response = await changeMarket({ base_price_list: one('price_lists', 2) })
    expect([response.status, errorsOf(response)[0]?.code]).toEqual([400, 'PARAM_NOT_ALLOWED'])
  })
})

describe('is refused', () => {
  const LIST = '/data/relationships/price_list'

  it.each([
    [
      'a list in another currency',
      2,
      'is in USD, and must be in EUR, as those of the price list of the market',
    ],
    [
      'a list of other taxes',
      OTHER_SALE,
      'has prices without taxes, and must have prices with taxes, as those of the price list of the market',
    ],
  ])('%s', async (_what, list, title) => {
    await core.pool.query(`UPDATE price_lists SET tax_included = false WHERE id = ${OTHER_SALE}`)
    const response = await create(TOMORROW, LATER, list)
    expect(at(response)).toEqual([['422', LIST, 'currency_mismatch']])
    expect(errorsOf(response)[0]?.title).toBe(title)
  })

  it('a market whose list is in another currency', async () => {
    const id = await scheduled(TOMORROW, LATER)
    const response = await change(id, {}, { market: one('markets', 2) })
    expect(at(response)).toEqual([['422', LIST, 'currency_mismatch']])
  })

  it('an end that is no later than the start', async () => {
    expect(at(await create(TOMORROW, TOMORROW))).toEqual([['422', '/data/attributes/expires_at', 'invalid']])
  })

  it('what lacks its parts', async () => {
    const response = await core.send('POST', '/api/price_list_schedulers', core.tokens.admin, {
      data: { type: 'price_list_schedulers', attributes: {} },
    })
    expect(at(response).map(([, pointer]) => pointer)).toEqual([
      '/data/attributes/name',
      '/data/attributes/starts_at',
      '/data/attributes/expires_at',
      '/data/relationships/market',
      LIST,
    ])
  })

  it('a market or a list of nobody', async () => {
    const response = await create(TOMORROW, LATER, 9999, {}, 9999)
    expect(at(response).map(([, pointer]) => pointer)).toEqual(['/data/relationships/market', LIST])
  })

  it.each([
    ['the sale list', SALE],
    ['the base list', BASE],
  ])('another currency or other taxes of %s while it is scheduled', async (_which, list) => {
    await core.pool.query(`DELETE FROM prices WHERE environment_id = 1`)
    const id = await scheduled(TOMORROW, LATER)
    const response = await changeList(list, { currency_code: 'USD', tax_included: false })
    expect(at(response)).toEqual([
      ['422', '/data/attributes/currency_code', 'is_scheduled'],
      ['422', '/data/attributes/tax_included', 'is_scheduled'],
    ])
    expect((await changeList(list, { name: 'Renamed', currency_code: 'EUR' })).status).toBe(200)
    await change(id, { _disable: true })
    expect((await changeList(SALE, { tax_included: false })).status).toBe(200)
    expect(at(await change(id, { _enable: true }))).toEqual([['422', LIST, 'currency_mismatch']])
  })
})

it('are found by market, list and dates', async () => {
  const id = await scheduled(TOMORROW, LATER)
  await scheduled(LATER, '2026-12-24T00:00:00Z', OTHER_SALE)
  const find = async (path: string) =>
    listOf(await core.get(`/api/${path}`, core.tokens.admin)).data.map((each) => each.id)
  for (const query of [
    'filter[q][price_list_code_eq]=sale',
    'filter[q][starts_at_lt]=2026-11-22T00:00:00Z&filter[q][market_code_eq]=eu',
    'sort=starts_at&page[size]=1',
  ])
    expect(await find(`price_list_schedulers?${query}`)).toEqual([id])
  expect(await find(`price_lists/${encodeId('price_lists', SALE)}/price_list_schedulers`)).toEqual([id])
  expect(await find(`markets/${encodeId('markets', 1)}/price_list_schedulers`)).toHaveLength(2)
})
