/** Conditions of a filter at the edges of what they take, on the real engine. */
import type { OrderDocument } from '@merx/order-feed/order-document'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { makeDocuments } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const order = { date_from: '2020-01-01T00:00:00Z', date_to: '2030-01-01T00:00:00Z', date_field: 'created_at' }
const [template] = makeDocuments(3, 1)
if (template === undefined) throw new Error('no document')

let store: TestStore
let app: TestApp

beforeAll(async () => {
  store = await openStore()
  app = await openTestApp({ engine: store.engine, env: { RATE_LIMIT_SCALE: '1000' } })
})

afterAll(async () => {
  await app.close()
  await store.close()
})

/** Replaces all orders by one for each of `changes`, whose ids are o0, o1, … */
const storeOrders = async (changes: readonly Partial<OrderDocument>[]): Promise<void> => {
  await store.engine.execute({ text: 'TRUNCATE TABLE orders', params: {} })
  const documents = changes.map((change, index) => ({
    ...template,
    organization: { id: 'orgAAAAAAA', slug: 'acme', name: 'Acme' },
    mode: 'test' as const,
    status: 'placed',
    created_at: '2022-01-01T00:00:00.000Z',
    placed_at: '2022-01-02T00:00:00.000Z',
    ...change,
    id: `o${index}`,
  }))
  await store.engine.insert('orders', documents.map(toRowOrder))
}

/** Ids of the orders that pass. */
const found = async (filter: Record<string, object>): Promise<readonly string[]> => {
  const all = { ...filter, order: { ...order, ...filter.order } }
  const search = { fields: ['order.id'], limit: 100 }
  const { status, body } = await app.ask('/metrics/orders/search', { search, filter: all })
  expect({ status, body: status === 200 ? undefined : body }).toEqual({ status: 200, body: undefined })
  return (body as { data: { id: string }[] }).data.map(({ id }) => id).sort()
}

describe('numbers of orders', () => {
  const longest = 'N'.repeat(255)

  beforeAll(async () => {
    await storeOrders(['WEB-2024/17', '1234567890123456', '42', longest].map((number) => ({ number })))
  })

  it.each([
    ['text', ['WEB-2024/17'], ['o0']],
    ['text of 255 characters', [longest], ['o3']],
    ['16 digits', ['1234567890123456'], ['o1']],
    ['an integer of 16 digits', [1234567890123456], ['o1']],
    ['an integer', [42], ['o2']],
    ['digits that are another text', ['042'], []],
  ])('are found as %s', async (_name, items, ids) => {
    expect(await found({ order: { numbers: { in: items } } })).toEqual(ids)
  })
})

describe('emails of customers', () => {
  beforeAll(async () => {
    const [customer] = makeDocuments(3, 20).flatMap((document) => document.customer ?? [])
    if (customer === undefined) throw new Error('no customer')
    const emails = ['ren\u00e9@example.com', 'ann@example.com']
    await storeOrders(emails.map((email) => ({ customer: { ...customer, email } })))
  })

  it.each([
    ['as they are stored', 'ann@example.com', ['o1']],
    ['in capitals', 'Ann@Example.COM', ['o1']],
    ['in another Unicode form', 'Rene\u0301@example.com', ['o0']],
  ])('are found %s', async (_how, email, ids) => {
    expect(await found({ customer: { emails: { in: [email] } } })).toEqual(ids)
  })
})

describe('a rate', () => {
  beforeAll(async () => {
    const [line] = makeDocuments(3, 20).flatMap(({ line_items }) => line_items)
    if (line === undefined) throw new Error('no line item')
    await storeOrders(
      ['0', '0.0725', '9999999999.99999999'].map((tax_rate) => ({ line_items: [{ ...line, tax_rate }] })),
    )
  })

  it.each([
    [{ gt: 0.07 }, ['o1', 'o2']],
    [{ gt: 9_999_999_999 }, ['o2']],
    [{ gt: 10_000_000_000 }, []],
    [{ lt: 99_999_999_999_999 }, ['o0', 'o1', 'o2']],
    [{ gt_lt: [-99_999_999_999_999, 0.0725] }, ['o0']],
    [{ ne: Number.MAX_SAFE_INTEGER }, ['o0', 'o1', 'o2']],
  ])('is compared with numbers beyond what rates can be: %j', async (condition, ids) => {
    expect(await found({ line_items: { tax_rate: condition } })).toEqual(ids)
    expect(await found({ line_items: { tax_rate: condition, quantity: { gt: 0 } } })).toEqual(ids)
  })
})

describe('amounts of lines', () => {
  const { MAX_SAFE_INTEGER } = Number

  beforeAll(async () => {
    const [line] = makeDocuments(3, 20).flatMap(({ line_items }) => line_items)
    if (line === undefined) throw new Error('no line item')
    await storeOrders([{ line_items: [] }, { line_items: [line] }])
  })

  it.each(
    ['discount', 'quantity', 'total_amount', 'unit_amount'].flatMap((key) => [
      [key, { lt: 99_999_999_999_999 }],
      [key, { lt: 100_000_000_000_000 }],
      [key, { lte: MAX_SAFE_INTEGER }],
      [key, { gt: -100_000_000_000_000 }],
      [key, { gte: -MAX_SAFE_INTEGER }],
    ]),
  )('that do not exist pass no condition, whatever its number: %s %j', async (key, condition) => {
    expect(await found({ line_items: { [key]: condition } })).toEqual(['o1'])
  })
})

describe('the empty text', () => {
  beforeAll(async () => {
    await storeOrders(['', 'PO-1', null].map((reference) => ({ reference })))
  })

  it('is an item of a list, as it is the label of a bucket', async () => {
    const breakdown = { by: 'order.reference', field: 'order.id', operator: 'value_count' }
    const { body } = await app.ask('/metrics/orders/breakdown', { breakdown, filter: { order } })
    expect(body).toMatchObject({ data: { 'order.reference': [{ label: '' }, { label: 'PO-1' }] } })
    expect(await found({ order: { references: { in: [''] } } })).toEqual(['o0'])
    expect(await found({ order: { references: { not_in: [''] } } })).toEqual(['o1', 'o2'])
    expect(await found({ order: { ids: { in: [''] } } })).toEqual([])
  })
})

describe('a text', () => {
  const cities = ['İstanbul', 'ΟΔΟΣ', 'Ⓐville', 'STRAẞE', 'Œuvre', 'ЁЛКА', 'San José', 'Nuku‘alofa']
  const spaced = ['Xi\u00a0An', '東京\u3000都']

  beforeAll(async () => {
    await storeOrders(
      [...cities, ...spaced].map((city) => ({
        billing_address: null,
        shipping_address: {
          city,
          zip_code: null,
          state_code: null,
          country_code: 'XX',
          business: false,
          localized: false,
          geocoded: false,
        },
      })),
    )
  })

  const query = async (text: string) => found({ order: { aggregated_details: { query: text } } })

  it.each([...cities, ...spaced].map((city, index) => [city, `o${index}`]))(
    'finds itself: %s',
    async (city, id) => {
      if (!/\s/.test(city)) expect(await query(`*${city}*`)).toEqual([id])
      expect(await query(`*"${city}"*`)).toEqual([id])
      expect(await query(`"${city}"`)).toEqual([id])
      expect(await query(city)).toEqual([id])
    },
  )

  it.each(['"Xi An"', '*"Xi An"*', '*"xi  an"', '"東京 都"', '*"東京 都"*'])(
    'has any space where a phrase has one: %s',
    async (phrase) => {
      expect(await query(phrase)).toEqual([/xi/i.test(phrase) ? 'o8' : 'o9'])
    },
  )

  it.each([
    ['İSTANBUL', ['o0']],
    ['istanbul', []],
    ['οδος', ['o1']],
    ['οδοσ', ['o1']],
    ['Οδος', ['o1']],
    ['ⓐVILLE', ['o2']],
    ['straße', ['o3']],
    ['strasse', []],
    ['œUVRE', ['o4']],
    ['ёлка', ['o5']],
    ['SAN JOSÉ', ['o6']],
  ])('ignores case as Unicode folds it, one character for one: %s', async (text, ids) => {
    expect(await query(`"${text}"`)).toEqual(ids)
    expect(await query(`*"${text}"*`)).toEqual(ids)
  })
})

describe('a text query as long as it may be', () => {
  it.each([
    ['a phrase of many words', `"${'a '.repeat(127)}"`],
    ['a phrase of letters beyond ASCII', `"${'é '.repeat(127)}"`],
    ['many stars', 'a*'.repeat(128)],
    ['many stars between letters beyond ASCII', 'é*'.repeat(128)],
    ['many words', 'é*a '.repeat(32)],
    ['many alternatives', '*é*a|'.repeat(16).slice(0, -1)],
    ['many characters of ten thousands', '*商'.repeat(128)],
    ['punctuation alone', `"${"_.[](){}\\^$+?|-'/;"}"`],
  ])('is answered: %s', async (_name, query) => {
    expect(await found({ order: { aggregated_details: { query } } })).toEqual([])
  })
})

describe('a timestamp without a fraction', () => {
  const placed = ['06:09:58.999', '06:09:59.000', '06:09:59.327', '06:09:59.999', '06:10:00.000']

  beforeAll(async () => {
    await storeOrders(placed.map((time) => ({ placed_at: `2022-06-27T${time}Z` })))
  })

  const at = (time: string): string => `2022-06-27T${time}Z`
  const between = async (from: string, to: string) =>
    found({ order: { date_field: 'placed_at', date_from: at(from), date_to: at(to) } })

  it('is the whole second as date_to, so that adjacent ranges hold each order once', async () => {
    expect(await between('06:00:00', '06:09:59')).toEqual(['o0', 'o1', 'o2', 'o3'])
    expect(await between('06:10:00', '06:20:00')).toEqual(['o4'])
  })

  it('is an instant with a fraction', async () => {
    expect(await between('06:00:00', '06:09:59.000')).toEqual(['o0', 'o1'])
    expect(await between('06:00:00', '06:09:59.3')).toEqual(['o0', 'o1'])
  })

  it.each([
    ['eq', '06:09:59', ['o1', 'o2', 'o3']],
    ['eq', '06:09:59.327', ['o2']],
    ['ne', '06:09:59', ['o0', 'o4']],
    ['ne', '06:09:59.327', ['o0', 'o1', 'o3', 'o4']],
    ['lte', '06:09:59', ['o0', 'o1', 'o2', 'o3']],
    ['lt', '06:09:59', ['o0']],
    ['gte', '06:09:59', ['o1', 'o2', 'o3', 'o4']],
    ['gt', '06:09:59', ['o2', 'o3', 'o4']],
  ])('is compared by %s %s', async (operator, time, ids) => {
    expect(await found({ order: { placed_at: { [operator]: at(time) } } })).toEqual(ids)
  })

  it.each([
    ['gte_lte', ['o1', 'o2', 'o3', 'o4']],
    ['gt_lte', ['o2', 'o3', 'o4']],
    ['gte_lt', ['o1', 'o2', 'o3']],
    ['gt_lt', ['o2', 'o3']],
  ])('is compared by %s', async (operator, ids) => {
    const bounds = [at('06:09:59'), at('06:10:00')]
    expect(await found({ order: { placed_at: { [operator]: bounds } } })).toEqual(ids)
  })
})

describe('dates of any year', () => {
  const placed = [
    '0001-01-01T00:00:00.000Z',
    '1600-02-29T12:30:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '2022-06-26T23:59:59.999Z',
    '2022-06-27T06:09:59.327Z',
    '2106-03-01T05:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
  ]
  const filter = {
    order: { date_field: 'placed_at', date_from: '0000-01-01T00:00:00Z', date_to: '9999-12-31T23:59:59Z' },
  }

  beforeAll(async () => {
    await storeOrders(placed.map((placed_at) => ({ placed_at })))
  })

  const first = (...days: readonly string[]) => days.map((day) => `${day}T00:00:00.000Z`)

  it.each([
    [
      'hour',
      [
        '0001-01-01T00:00:00.000Z',
        '1600-02-29T12:00:00.000Z',
        '1969-12-31T23:00:00.000Z',
        '1970-01-01T00:00:00.000Z',
        '2022-06-26T23:00:00.000Z',
        '2022-06-27T06:00:00.000Z',
        '2106-03-01T05:00:00.000Z',
        '9999-12-31T23:00:00.000Z',
      ],
    ],
    ['day', first(...placed.map((date) => date.slice(0, 10)))],
    [
      'week',
      first('0001-01-01', '1600-02-28', '1969-12-29', '2022-06-20', '2022-06-27', '2106-03-01', '9999-12-27'),
    ],
    [
      'month',
      first('0001-01-01', '1600-02-01', '1969-12-01', '1970-01-01', '2022-06-01', '2106-03-01', '9999-12-01'),
    ],
    [
      'year',
      first('0001-01-01', '1600-01-01', '1969-01-01', '1970-01-01', '2022-01-01', '2106-01-01', '9999-01-01'),
    ],
  ])('fall into the %s they are in', async (interval, dates) => {
    const inner = { by: 'order.currency_code', field: 'order.id', operator: 'value_count' }
    const asked = { by: 'order.placed_at', field: 'order.total_amount', operator: 'sum', interval }
    const query = { ...asked, breakdown: { ...inner, breakdown: { ...inner, by: 'order.status' } } }
    const { status, body } = await app.ask('/metrics/orders/date_breakdown', {
      date_breakdown: query,
      filter,
    })
    expect(status).toBe(200)
    const { data } = body as { data: { date: string; 'order.currency_code': object[] }[] }
    expect(data.map(({ date }) => date)).toEqual(dates)
    const statuses = [{ label: 'placed' }]
    for (const one of data)
      expect(one).toMatchObject({ 'order.currency_code': [{ 'order.status': statuses }] })
  })

  it.each([
    [{ gt: '0000-12-31T23:59:59Z' }, 8],
    [{ ne: '0000-12-31T23:59:59Z' }, 8],
    [{ lte: '0000-12-31T23:59:59Z' }, 0],
    [{ gte_lte: ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z'] }, 1],
    [{ lt: '9999-12-31T23:59:59Z' }, 7],
    [{ eq: '9999-12-31T23:59:59Z' }, 1],
  ])('are compared with those that are further: %j', async (placed_at, count) => {
    expect(await found({ order: { ...filter.order, placed_at } })).toHaveLength(count)
  })

  it.each(['asc', 'desc'])('are found and shown, %s', async (sort) => {
    const search = { fields: ['order.placed_at'], sort, sort_by: 'order.placed_at', limit: 3 }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await app.ask('/metrics/orders/search', { search: { ...search, cursor }, filter })
      const page = body as {
        data: { placed_at: string }[]
        meta: { pagination: { cursor: string | null } }
      }
      seen.push(...page.data.map(({ placed_at }) => placed_at))
      cursor = page.meta.pagination.cursor
    } while (cursor !== null)
    expect(seen).toEqual(sort === 'asc' ? placed : placed.toReversed())
  })
})
