import { AppError } from '@merx/errors/app-error'
import { InternalCallError } from '@merx/http/internal-call-error'
import { parseCustomer, parseScopeFacts } from './core-answers.ts'
import { toUnavailable, undefinedIfNotFound } from './core-errors.ts'

const ANSWER = {
  references: [{ type: 'market', by: 'code', value: 'eu', id: 'aaaaaaaaaa' }],
  markets: [
    {
      id: 'aaaaaaaaaa',
      code: 'eu',
      is_disabled: false,
      customer_group_id: null,
      stock_location_ids: ['s'],
      geocoder_id: null,
      allows_external_prices: true,
      later: 'added',
    },
  ],
  stores: [{ id: 'st', code: null, market_id: 'aaaaaaaaaa', stock_location_id: null }],
  stock_locations: [{ id: 's', code: 'x', market_ids: ['aaaaaaaaaa'] }],
}

describe('answers of core', () => {
  it('become facts, and may have more than is needed', () => {
    expect(parseScopeFacts(ANSWER)).toEqual({
      references: [{ type: 'market', by: 'code', value: 'eu', id: 'aaaaaaaaaa' }],
      markets: [
        {
          id: 'aaaaaaaaaa',
          code: 'eu',
          isDisabled: false,
          customerGroupId: null,
          stockLocationIds: ['s'],
          geocoderId: null,
          allowsExternalPrices: true,
        },
      ],
      stores: [{ id: 'st', code: null, marketId: 'aaaaaaaaaa', stockLocationId: null }],
      stockLocations: [{ id: 's', code: 'x', marketIds: ['aaaaaaaaaa'] }],
    })
    expect(parseCustomer({ id: 'c', email: 'a@b', customer_group_id: 'g' })).toEqual({
      id: 'c',
      email: 'a@b',
      customerGroupId: 'g',
    })
    expect(
      parseCustomer({ id: 'c', email: 'a@b', customer_group_id: null, password_mark: 'm' }),
    ).toMatchObject({ passwordMark: 'm' })
  })

  it.each([undefined, null, [], {}, { ...ANSWER, markets: [{ id: 'a' }] }, { ...ANSWER, stores: undefined }])(
    'of the wrong shape are refused (%#)',
    (answer) => {
      expect(() => parseScopeFacts(answer)).toThrow()
    },
  )

  it.each([undefined, {}, { id: '', email: '', customer_group_id: null }, { id: 'a', email: 'b' }])(
    'about a customer of the wrong shape are refused (%#)',
    (answer) => {
      expect(() => parseCustomer(answer)).toThrow()
    },
  )
})

describe('errors of core', () => {
  const place = { method: 'GET', url: 'http://core', explanation: 'x' }
  const notFound = new InternalCallError('status', { ...place, status: 404 })

  it('not found means no such customer', () => {
    expect(undefinedIfNotFound(notFound)).toBeUndefined()
  })

  it.each([
    new InternalCallError('timeout', place),
    new InternalCallError('unreachable', place),
    new InternalCallError('bad_answer', place),
    new InternalCallError('status', { ...place, status: 500 }),
  ])('$reason is answered with 503 and when to try again', (error) => {
    for (const map of [toUnavailable, undefinedIfNotFound]) {
      let thrown: unknown
      try {
        map(error)
      } catch (refusal) {
        thrown = refusal
      }
      expect(thrown).toBeInstanceOf(AppError)
      expect(thrown).toMatchObject({ code: 'oauth_unavailable', headers: { 'Retry-After': '1' } })
    }
  })

  it.each([
    [503, 'info'],
    [500, 'error'],
  ])('%d is logged as %s: a core that says 503 has logged why', (status, level) => {
    const error = new InternalCallError('status', { ...place, status })
    expect(() => toUnavailable(error)).toThrow(expect.objectContaining({ level }) as Error)
  })

  it('anything else stays what it is', () => {
    expect(() => toUnavailable(new TypeError('bug'))).toThrow(TypeError)
  })
})
