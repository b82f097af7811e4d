import { accessToken, clientCredentials, connect } from '../support/connect.ts'
import { environment, first, publicMarket } from '../support/demo.ts'
import { expectMetricsError, expectOAuthError } from '../support/expect-errors.ts'
import type { Reply } from '../support/send.ts'

const QUERY_TYPES = ['breakdown', 'date_breakdown', 'search', 'stats'] as const
const STATS = { stats: { field: 'order.id', operator: 'value_count' } }
const OPERATORS = 'eq, ne, gt, gte, lt, lte, gt_lt, gte_lte, gte_lt, gt_lte'

const ask = async (
  type: string,
  body: unknown,
  headers: Readonly<Record<string, string | undefined>> = {},
  method = 'POST',
): Promise<Reply> =>
  connect().metrics(`orders/${type}`, body, { token: await accessToken('integration'), headers, method })

describe('Code strings and titles seen', () => {
  describe("400 · BAD_REQUEST · filter and query-type keys both empty: a single error for filter only, title meaning filter is not valid, message meaning filter can't be blank if defined", () => {
    test.each(QUERY_TYPES)('%s', async (type) => {
      const reply = await ask(type, { [type]: {}, filter: {} })
      const error = expectMetricsError(reply, 400, 'BAD_REQUEST', /^filter is not valid$/)
      expect(error.meta?.errors).toEqual([{ filter: ["can't be blank if defined"] }])
    })
  })

  describe('400 · BAD_REQUEST · misspelled first-level keys: title meaning request is not valid; one entry in meta.errors per wrong key with the message not valid', () => {
    test.each(QUERY_TYPES)('%s', async (type) => {
      const reply = await ask(type, { [`${type}s`]: {}, filtr: {} })
      const error = expectMetricsError(reply, 400, 'BAD_REQUEST', /^request is not valid$/)
      expect(error.meta?.errors).toEqual([{ [`${type}s`]: ['not valid'] }, { filtr: ['not valid'] }])
    })
  })

  test('401 · UNAUTHORIZED · title meaning the access token is not valid or expired', async () => {
    const reply = await connect().metrics('orders/stats', STATS, { token: 'nothing' })
    const error = expectMetricsError(reply, 401, 'UNAUTHORIZED')
    expect(error).toEqual({
      title: 'the access token is not valid or expired',
      code: 'UNAUTHORIZED',
      status: 401,
    })
  })

  test('405 · METHOD_NOT_ALLOWED · title meaning the method cannot be used, use POST', async () => {
    const reply = await ask('stats', undefined, {}, 'GET')
    expectMetricsError(reply, 405, 'METHOD_NOT_ALLOWED', /^the method cannot be used, use POST$/)
  })

  describe('406 · NOT_ACCEPTABLE · unsupported version: title says the version is not supported and to use v1', () => {
    test.each(['v2', 'v0', 'v10', 'v01'])('%s', async (version) => {
      const reply = await ask('stats', STATS, { Accept: `application/vnd.api.${version}+json` })
      expectMetricsError(reply, 406, 'NOT_ACCEPTABLE', /^the version is not supported, use v1$/)
    })
  })

  describe('406 · NOT_ACCEPTABLE · wrong Accept value: title says the Accept header was not set to application/vnd.api.v<version>+json', () => {
    test.each(['application/json', 'application/vnd.api+json', '*/*', 'x', undefined])(
      '%s',
      async (accept) => {
        const title = 'the Accept header was not set to application/vnd.api.v<version>+json'
        const error = expectMetricsError(await ask('stats', STATS, { Accept: accept }), 406, 'NOT_ACCEPTABLE')
        expect(error.title).toBe(title)
      },
    )
  })

  test('415 · UNSUPPORTED_MEDIA_TYPE · title says the Content-type header was not set to application/vnd.api+json', async () => {
    const reply = await ask('stats', STATS, { 'Content-Type': 'application/json' })
    const error = expectMetricsError(reply, 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect(error.title).toBe('the Content-type header was not set to application/vnd.api+json')
  })

  test('422 · UNPROCESSABLE_ENTITY · date_from given without date_to: title meaning filter is not valid; meta.errors has order, then date_to, with a message that date_to is required with date_from', async () => {
    const reply = await ask('stats', { ...STATS, filter: { order: { date_from: '2024-01-01T00:00:00Z' } } })
    const error = expectMetricsError(reply, 422, 'UNPROCESSABLE_ENTITY', /^filter is not valid$/)
    expect(error.meta?.errors).toEqual([{ order: [{ date_to: ['is required with date_from'] }] }])
  })

  test('422 · UNPROCESSABLE_ENTITY · invalid operator in the query-type section: title meaning query is not valid; meta.errors has the query-type key, then operator, with a message listing valid values (avg, max, min, sum, stats)', async () => {
    const reply = await ask('date_breakdown', {
      date_breakdown: {
        by: 'order.placed_at',
        field: 'order.total_amount_with_taxes',
        operator: 'value_count',
        interval: 'month',
      },
    })
    const error = expectMetricsError(reply, 422, 'UNPROCESSABLE_ENTITY', /^query is not valid$/)
    expect(error.meta?.errors).toEqual([
      { date_breakdown: [{ operator: [expect.stringContaining('avg, max, min, sum, stats')] }] },
    ])
  })

  test('422 · UNPROCESSABLE_ENTITY · invalid filter keys or operators: title meaning filter is not valid; meta.errors groups by section (line_items, order), each naming the wrong attribute with the message not valid, or an operator message listing the valid operators (eq, ne, gt, gte, lt, lte, gt_lt, gte_lte, gte_lt, gt_lte)', async () => {
    const filter = {
      line_items: { tax_rate: { in: [0.22] }, 'options.name': { in: ['x'] } },
      order: { gift_card_code: { in: ['ABCDEFGH'] } },
    }
    const error = expectMetricsError(
      await ask('stats', { ...STATS, filter }),
      422,
      'UNPROCESSABLE_ENTITY',
      /^filter is not valid$/,
    )
    expect(error.meta?.errors).toEqual([
      {
        line_items: [{ tax_rate: [expect.stringContaining(OPERATORS)] }, { 'options.name': ['not valid'] }],
      },
      { order: [{ gift_card_code: ['not valid'] }] },
    ])
  })

  describe('Core interface: 400 Bad Request for the scope rules in Authentication.', () => {
    const refused = async (scope: string): Promise<void> => {
      const reply = await connect().token(clientCredentials('sales_channel', { scope }))
      const body = expectOAuthError(reply, 400, 'invalid_scope')
      expect(body.errors[0]?.code).toBe('BAD_REQUEST')
    }

    test('two stores', async () => {
      const [one, two] = environment().stores
      await refused(`store:id:${one?.id} store:id:${two?.id}`)
    })

    test('a stock location without a market', async () => {
      await refused(`stock_location:id:${first(environment().stock_locations, 'location').id}`)
    })

    test('a stock location of another market', async () => {
      const { id } = publicMarket()
      const other = first(
        environment().stock_locations,
        'location',
        ({ market_ids }) => !market_ids.includes(id),
      )
      await refused(`market:id:${id} stock_location:id:${other.id}`)
    })

    test('a private market, a disabled or unknown one', async () => {
      await refused(
        `market:id:${first(environment().markets, 'private market', (market) => market.private).id}`,
      )
      await refused('market:id:aaaaaaaaaa')
    })
  })
})
