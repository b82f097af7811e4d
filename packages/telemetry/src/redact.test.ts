import { REDACTED, redactFields, redactText, redactValue } from './redact.ts'

const JWT = `eyJhbGciOiJSUzUxMiJ9.${'a'.repeat(40)}.${'b'.repeat(40)}`

describe('redactText', () => {
  it.each([
    ['a signed token', `got ${JWT} from there`, `got ${REDACTED} from there`],
    ['an Authorization value', 'Bearer abcdefgh.ijkl', `Bearer ${REDACTED}`],
    ['Basic credentials', 'authorization: basic aGVsbG86d29ybGQ=', `authorization: basic ${REDACTED}`],
    ['a password in a URL', 'postgres://merx:hunter2@db:5432/x', `postgres://merx:${REDACTED}@db:5432/x`],
    ['a token in a query', '/x?a=1&access_token=abc&b=2', `/x?a=1&access_token=${REDACTED}&b=2`],
    ['secrets in a form', 'client_secret=abc&password=def', `client_secret=${REDACTED}&password=${REDACTED}`],
  ])('hides %s', (_name, text, clean) => {
    expect(redactText(text)).toBe(clean)
  })

  it.each(['the bearer was late', 'http://host/path?a=b', 'basic sql', 'eyJ', 'user@example.com at 10:30'])(
    'leaves other text alone: %s',
    (text) => {
      expect(redactText(text)).toBe(text)
    },
  )

  it('cuts long text and says how long it was', () => {
    expect(redactText('a'.repeat(10_000))).toBe(`${'a'.repeat(8_192)}… (10000 characters)`)
  })

  it('takes a time that grows no faster than the text', () => {
    const before = process.cpuUsage() // of this process: what else runs on the machine does not count
    for (const text of ['://'.repeat(5_000), 'eyJaaaa.'.repeat(5_000), `bearer${' '.repeat(20_000)}`])
      redactText(text)
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
})

describe('redactFields', () => {
  it.each([
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'Set-Cookie',
    'client_secret',
    'clientSecret',
    'password',
    'assertion',
    'refresh_token',
    'refreshToken',
    'access_token',
    'token',
    'secret',
    'shared_secret',
    'code_verifier',
    'privateKey',
    'SERVICE_KEY',
  ])('hides the value of %s at every depth', (name) => {
    const fields = { [name]: 'hunter2', a: { [name]: { x: 'hunter2' }, b: [{ [name]: ['hunter2'] }] } }
    const clean = redactFields(fields)
    expect(JSON.stringify(clean)).not.toContain('hunter2')
    expect(clean[name]).toBe(REDACTED)
  })

  it.each(['token_type', 'tokens', 'client_id', 'path', 'secrets_rotated', 'passwordless'])(
    'shows the value of %s',
    (name) => {
      expect(redactFields({ [name]: 'shown' })).toEqual({ [name]: 'shown' })
    },
  )

  it('does not change what it was given', () => {
    const fields = { password: 'x', deep: { token: 'y' } }
    redactFields(fields)
    expect(fields).toEqual({ password: 'x', deep: { token: 'y' } })
  })
})

describe('redactValue', () => {
  it('shows an error with its type, texts, own fields and causes, secrets hidden', () => {
    const cause = Object.assign(new TypeError(`Bearer ${JWT}`), { client_secret: 'hunter2', status: 401 })
    const clean = redactValue(new Error('outer', { cause }))
    expect(clean).toMatchObject({
      type: 'Error',
      message: 'outer',
      cause: { type: 'TypeError', message: `Bearer ${REDACTED}`, client_secret: REDACTED, status: 401 },
    })
    expect(JSON.stringify(clean)).not.toMatch(/hunter2|aaaa/)
  })

  it('lists the errors of an AggregateError', () => {
    const clean = redactValue(new AggregateError([new Error('first'), new Error('token=x')], 'both'))
    expect(clean).toMatchObject({ type: 'AggregateError', errors: [{ message: 'first' }, { type: 'Error' }] })
  })

  it('ends at 8 levels, so that cycles end too', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(JSON.stringify(redactValue(cycle))).toContain('[too deep]')
  })

  it('ends at 100 entries a level', () => {
    const names = Object.fromEntries(Array.from({ length: 200 }, (_v, index) => [`k${index}`, index]))
    expect(Object.keys(redactValue(names) as object)).toHaveLength(101)
    const list = redactValue(Array.from({ length: 200 }, (_v, index) => index))
    expect(list).toHaveLength(101)
    expect((list as unknown[]).at(-1)).toBe('… (200 items)')
  })

  it.each([
    ['a bigint', 12n, '12'],
    ['bytes', Buffer.from('hunter2'), '[7 bytes]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    [
      'a map',
      new Map([
        ['password', 'x'],
        ['a', 'y'],
      ]),
      { password: REDACTED, a: 'y' },
    ],
    ['a set', new Set([1, 2]), [1, 2]],
    ['null', null, null],
    ['a number', 1.5, 1.5],
    ['what has toJSON', { toJSON: () => ({ token: 'x' }) }, { token: REDACTED }],
  ])('writes %s so that JSON can hold it', (_name, value, clean) => {
    expect(redactValue(value)).toEqual(clean)
  })
})
