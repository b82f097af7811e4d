/**
 * Ten thousand generated requests to the OAuth endpoints: each is answered, with a 4xx of the documented form, never
 * with a 500. fast-check shrinks what fails to the smallest body that does.
 */
import { listen } from '@merx/http/listen'
import fc from 'fast-check'
import { rawErrors } from '../../src/app.ts'
import { clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
let url: string
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  system = await startTestSystem({ name: 'malformed', rateLimitScale: 1_000_000 })
  const server = await listen(system.auth.app, { host: '127.0.0.1', port: 0, rawErrors })
  url = server.url
  closers.push(
    () => system.close(),
    () => server.close(),
  )
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const PATHS = ['/oauth/token', '/oauth/revoke', '/oauth/introspect'] as const
const ANSWER_MS = 10_000
/** Ten seconds on an idle machine; much more while other suites run. */
const PATIENCE_MS = 240_000

interface Sent {
  readonly path: string
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly authorization?: string | undefined
}

const send = async ({ path, type, body, authorization }: Sent) => {
  const headers = {
    'Content-Type': type,
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  }
  const signal = AbortSignal.timeout(ANSWER_MS)
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** RFC 6749 5.2 and the vendor's list; both say the same. */
const expectDocumentedRefusal = ({ status, headers, text }: Awaited<ReturnType<typeof send>>): void => {
  expect({ status, isRefusal: status >= 400 && status < 500, text }).toEqual({
    status,
    isRefusal: true,
    text,
  })
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('cache-control')).toBe('no-store')
  const answer = JSON.parse(text) as {
    error: string
    error_description: string
    errors: { title: string; detail: string; code: string; status: number }[]
  }
  expect(answer.error).toMatch(/^[a-z_]+$/)
  // RFC 6749 5.2: printable ASCII without quotation mark and backslash.
  expect(answer.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(answer.errors[0]).toMatchObject({ title: answer.error, status })
  for (const each of answer.errors) expect(typeof each.detail).toBe('string')
}

const NAMES = [
  ...['grant_type', 'client_id', 'client_secret', 'scope', 'username', 'password', 'code', 'redirect_uri'],
  ...['code_verifier', 'refresh_token', 'assertion', 'token', 'token_type_hint'],
  ...['__proto__', 'constructor', 'toString', '', 'grant_type[]', 'scope[0]', 'client_id.x'],
] as const
const GRANTS = [
  ...['client_credentials', 'password', 'authorization_code', 'refresh_token'],
  ...[
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'implicit',
    'CLIENT_CREDENTIALS',
    'toString',
    '__proto__',
  ],
] as const

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 24 }),
  fc.constantFrom(
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udc00x',
    '%',
    '%00',
    '%zz',
    "' OR 1=1 --",
    '{"$gt":""}',
    '..',
    '\r\nX: y',
  ),
  fc.constantFrom(
    ...GRANTS,
    'market:id:',
    'market:code:a:b',
    'market:id:x store:id:y',
    'a.b.c',
    'e30.e30.e30',
  ),
  fc.integer({ min: 100, max: 2_000 }).map((length) => 'x'.repeat(length)),
)
const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: oddText })
const oddValue = fc.oneof(
  { weight: 3, arbitrary: oddText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown[]>(null, true, 1e308, -0, [], {}, [[]], ['a', 'b'], { a: {} }),
  },
)
const pairs = fc.array(fc.tuple(name, oddValue), { maxLength: 5 })

/** Written by hand, so that names may come twice. */
const jsonOf = (entries: readonly (readonly [string, unknown])[]): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`

const jsonBody = fc.oneof(
  { weight: 6, arbitrary: pairs.map(jsonOf) },
  // Cut off, or with a byte changed.
  {
    weight: 2,
    arbitrary: fc.tuple(pairs.map(jsonOf), fc.nat(200)).map(([text, at]) => text.slice(0, at)),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }).map((bytes) => new Uint8Array(bytes)) },
)
const formValue = fc.oneof(
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%', '%0', '%zz', '%00', '%ff%fe', '%C0%80', '+', '=', '&', 'a=b', ';'),
)
const formBody = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.tuple(name, formValue), { maxLength: 5 })
      .map((entries) =>
        entries.map(([key, value]) => `${encodeURIComponent(key.toWellFormed())}=${value}`).join('&'),
      ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }).map((bytes) => new Uint8Array(bytes)) },
)
const authorization = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary-ascii', maxLength: 40 })
      .map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Basic', 'Basic ', 'Basic =', 'Bearer x', 'Basic Og==', 'Basic OmE=', 'x'),
  },
)
const request = fc
  .oneof(
    jsonBody.map((body) => ({ type: JSON_TYPE, body })),
    formBody.map((body) => ({ type: FORM_TYPE, body })),
  )
  .chain((content) =>
    fc.record({ path: fc.constantFrom(...PATHS), authorization }).map((rest) => ({ ...content, ...rest })),
  )

describe('a malformed request', () => {
  it(
    'is refused with a 4xx of the documented form: 6,000 bodies without a client that could be right',
    async () => {
      await fc.assert(
        fc.asyncProperty(request, async (sent) => expectDocumentedRefusal(await send(sent))),
        { numRuns: 6_000 },
      )
    },
    PATIENCE_MS,
  )

  it(
    'of a client that proved itself gets a token or a 4xx: 4,000 bodies',
    async () => {
      const { webapp, salesChannel, integration } = system.credentials
      const client = fc.constantFrom(webapp, salesChannel, integration).map(clientOf)
      const changes = fc.array(fc.tuple(fc.constantFrom(...NAMES.slice(3, 11)), oddValue), { maxLength: 4 })
      const grantType = fc.constantFrom(...GRANTS.slice(0, 5))
      let refused = 0
      await fc.assert(
        fc.asyncProperty(client, grantType, changes, async (proved, grant_type, entries) => {
          const known = Object.entries({ ...proved, grant_type })
          const answer = await send({
            path: '/oauth/token',
            type: JSON_TYPE,
            body: jsonOf([...known, ...entries]),
          })
          if (answer.status === 200) return expect(JSON.parse(answer.text)).toHaveProperty('access_token')
          refused += 1
          expectDocumentedRefusal(answer)
        }),
        { numRuns: 4_000 },
      )
      expect(refused).toBeGreaterThan(3_000)
    },
    PATIENCE_MS,
  )
})

describe('a malformed authorization request', () => {
  it(
    'is answered with a page or a redirect, never with a 500: 1,000 queries',
    async () => {
      const fields = [
        'response_type',
        'client_id',
        'redirect_uri',
        'scope',
        'state',
        'code_challenge',
      ] as const
      const right = {
        client_id: system.credentials.webapp.clientId,
        redirect_uri: 'https://app.example/callback',
      }
      const query = fc
        .array(fc.tuple(fc.oneof(fc.constantFrom(...fields), name), formValue), { maxLength: 6 })
        .chain((entries) => fc.boolean().map((isKnown) => ({ entries, isKnown })))
      await fc.assert(
        fc.asyncProperty(query, async ({ entries, isKnown }) => {
          const odd = entries.map(([key, value]) => `${encodeURIComponent(key.toWellFormed())}=${value}`)
          const text = [...odd, ...(isKnown ? [new URLSearchParams(right).toString()] : [])].join('&')
          const signal = AbortSignal.timeout(ANSWER_MS)
          const { status, headers } = await fetch(`${url}/oauth/authorize?${text}`, {
            redirect: 'manual',
            signal,
          })
          expect({ text, isFine: status < 500 }).toEqual({ text, isFine: true })
          const location = headers.get('location')
          if (location !== null) expect(location).toMatch(/^https:\/\/app\.example\/callback\?error=[a-z_]+&/)
        }),
        { numRuns: 1_000 },
      )
    },
    PATIENCE_MS,
  )
})
