import { AppError } from '@merx/errors/app-error'
import { ASSERTION_BYTES_MAX, parseAssertion } from './assertion.ts'

const NOW = new Date('2026-01-15T12:00:00Z')
const NOW_SECONDS = NOW.getTime() / 1000
const KEY = 'https://commercelayer.io/claims'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const jwt = (payload: unknown, header: unknown = { alg: 'HS512', typ: 'JWT' }): string =>
  `${encode(header)}.${encode(payload)}.c2ln`

const owner = { type: 'Customer', id: 'enWoxFMOnp' }

const reasonOf = (assertion: string): unknown => {
  try {
    parseAssertion(assertion, NOW)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error).toMatchObject({ code: 'invalid_assertion', detail: 'The provided assertion is invalid.' })
    return error.meta?.['reason']
  }
  throw new Error('the assertion was not refused')
}

describe('an assertion', () => {
  it.each([
    ['an owner', { owner }],
    ['a user as owner', { owner: { type: 'User', id: 'a' } }],
    ['a custom claim', { custom_claim: { name: 'Jörg', deep: { list: [1, null] } } }],
    ['both', { owner, custom_claim: {} }],
  ])('may have %s', (_name, claims) => {
    const { owner: parsedOwner, customClaim } = parseAssertion(jwt({ [KEY]: claims, iat: NOW_SECONDS }), NOW)
    expect({ owner: parsedOwner, custom_claim: customClaim }).toEqual({
      owner: undefined,
      custom_claim: undefined,
      ...claims,
    })
  })

  it('needs no registered claim and no signature of ours', () => {
    expect(parseAssertion(jwt({ [KEY]: { owner } }), NOW)).toStrictEqual({ owner })
    expect(parseAssertion(jwt({ [KEY]: { custom_claim: {} } }), NOW)).toStrictEqual({ customClaim: {} })
  })

  it.each([
    ['no claims', {}, 'has no object'],
    ['claims that are a list', { [KEY]: [] }, 'has no object'],
    ['empty claims', { [KEY]: {} }, 'neither owner nor custom_claim'],
    ['an owner that is text', { [KEY]: { owner: 'me' } }, 'owner is not an object'],
    [
      'an owner of another type',
      { [KEY]: { owner: { type: 'customer', id: 'a' } } },
      'owner.type must be Customer or User',
    ],
    ['an owner without id', { [KEY]: { owner: { type: 'User' } } }, 'owner.id must be a string'],
    [
      'an owner with an empty id',
      { [KEY]: { owner: { type: 'User', id: '' } } },
      'owner.id must be a string',
    ],
    [
      'an owner with a long id',
      { [KEY]: { owner: { type: 'User', id: 'a'.repeat(65) } } },
      'owner.id must be a string',
    ],
    ...['\u0000', '..', 'a/b', '\ud800'].map((id): [string, object, string] => [
      `an owner whose id is ${JSON.stringify(id)}`,
      { [KEY]: { owner: { type: 'Customer', id } } },
      'owner.id must be a string of 1 to 64 letters',
    ]),
    [
      'a custom claim that is a list',
      { [KEY]: { owner, custom_claim: [1] } },
      'custom_claim is not an object',
    ],
    [
      'a custom claim that is null',
      { [KEY]: { owner, custom_claim: null } },
      'custom_claim is not an object',
    ],
    ['an exp in the past', { [KEY]: { owner }, exp: NOW_SECONDS - 60 }, 'expired'],
    ['an nbf in the future', { [KEY]: { owner }, nbf: NOW_SECONDS + 61 }, 'nbf is in the future'],
    [
      'an iat of more than a day ago',
      { [KEY]: { owner }, iat: NOW_SECONDS - 86_461 },
      'iat is more than 86400 seconds ago',
    ],
    [
      'an exp of more than a day ahead',
      { [KEY]: { owner }, exp: NOW_SECONDS + 86_461 },
      'exp is more than 86400 seconds ahead',
    ],
    ['an iat in the future', { [KEY]: { owner }, iat: NOW_SECONDS + 61 }, 'iat is in the future'],
    [
      'an exp in milliseconds',
      { [KEY]: { owner }, exp: NOW_SECONDS * 1_000 },
      'exp is not between 1970 and 9999',
    ],
    ['an exp of 1970', { [KEY]: { owner }, exp: 0 }, 'expired'],
    ['an exp of 9999', { [KEY]: { owner }, exp: 253_402_300_799 }, 'exp is more than 86400 seconds ahead'],
    ['an iat before 1970', { [KEY]: { owner }, iat: -1 }, 'iat is not between 1970 and 9999'],
    ['an exp that is text', { [KEY]: { owner }, exp: 'soon' }, 'exp is not a number'],
  ])('is refused with %s', (_name, payload, reason) => {
    expect(reasonOf(jwt(payload))).toContain(reason)
  })

  it.each(['1e400', '[{"deep":-1e400}]'])(
    'is refused with the custom claim %s, which no token can say',
    (json) => {
      const payload = `{"${KEY}":{"custom_claim":{"a":${json}}}}`
      const assertion = `${encode({ alg: 'HS512' })}.${Buffer.from(payload).toString('base64url')}.c2ln`
      expect(reasonOf(assertion)).toBe('custom_claim has a number that is too large')
    },
  )

  it('may be off by the clocks of two machines', () => {
    const payload = { [KEY]: { owner }, exp: NOW_SECONDS - 59, nbf: NOW_SECONDS + 60, iat: NOW_SECONDS + 60 }
    expect(parseAssertion(jwt(payload), NOW)).toEqual({ owner })
  })

  it('is refused with a time that is no number', () => {
    const payload = `{"${KEY}":{"custom_claim":{}},"exp":1e400}`
    const assertion = `${encode({ alg: 'HS512' })}.${Buffer.from(payload).toString('base64url')}.c2ln`
    expect(reasonOf(assertion)).toBe('exp is not a number of seconds')
  })

  it('may be a day old and good for a day, by the clocks of two machines', () => {
    const payload = { [KEY]: { owner }, exp: NOW_SECONDS + 86_460, iat: NOW_SECONDS - 86_460 }
    expect(parseAssertion(jwt(payload), NOW)).toEqual({ owner })
  })

  it.each([
    ['two parts', 'a.b', 'three parts'],
    ['four parts', 'a.b.c.d', 'three parts'],
    ['no dots', 'hello', 'three parts'],
    ['a header that is not base64url', '+/.e30.c2ln', 'header is not base64url'],
    ['a header that begins with something else', `+${encode({})}.e30.c2ln`, 'header is not base64url'],
    ['a header that ends with something else', `${encode({})}=.e30.c2ln`, 'header is not base64url'],
    ['an empty payload', `${encode({})}..c2ln`, 'payload is not base64url'],
    ['a payload that is not JSON', `${encode({})}.aGVsbG8.c2ln`, 'payload is not JSON'],
    [
      'a payload that is not UTF-8',
      `${encode({})}.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.c2ln`,
      'not JSON in UTF-8',
    ],
    ['a payload that is a list', `${encode({})}.${encode([])}.c2ln`, 'payload is not a JSON object'],
  ])('is refused as %s', (_name, assertion, reason) => {
    expect(reasonOf(assertion)).toContain(reason)
  })

  it('may have 4096 bytes and no more', () => {
    const filled = (length: number) => jwt({ [KEY]: { custom_claim: { fill: 'x'.repeat(length) } } })
    const fits = filled(2_900)
    const room = ASSERTION_BYTES_MAX - fits.length
    expect(parseAssertion(`${fits}${'c'.repeat(room)}`, NOW)).toHaveProperty('customClaim')
    expect(reasonOf(`${fits}${'c'.repeat(room + 1)}`)).toBe('it is larger than 4096 bytes')
  })
})
