/**
 * The OWASP API Security Top 10 of 2023, item by item. What another suite proves is named, not repeated; the rest is
 * tried here against the running system.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { accessToken, connect, customerToken } from '../support/connect.ts'
import { demo, environment } from '../support/demo.ts'
import { expectCoreError, expectMetricsError, expectOAuthError } from '../support/expect-errors.ts'
import { provedBy } from '../support/proved-by.ts'
import type { CollectionDocument, ResourceDocument, TokenBody } from '../support/wire.ts'

const STATS = { stats: { field: 'order.id', operator: 'value_count' }, filter: { order: {} } }

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The same claims under another header and signature. */
const forged = (token: string, header: object, signature = ''): string =>
  [base64url(header), token.split('.')[1], signature].join('.')

describe('API1 broken object level authorization', () => {
  test(
    'ids of others are not found, in any resource',
    provedBy('e2e/isolation.test.ts', '%s: a foreign id is not found'),
  )
  test(
    'nor reached by filters',
    provedBy('e2e/isolation.test.ts', '%s: a filter by foreign ids finds nothing'),
  )
  test(
    'nor changed or linked to',
    provedBy('e2e/isolation.test.ts', 'a foreign record cannot be changed or deleted, nor linked to'),
  )
  test('a customer reads the orders of nobody else', async () => {
    const mine = (await customerToken()).json<TokenBody>().access_token
    const all = await connect().collection('orders', { token: mine, query: { 'page[size]': 25 } })
    const admin = await accessToken('integration')
    const others = await connect().collection('orders', {
      token: admin,
      query: { 'page[size]': 25, sort: '-id' },
    })
    const own = new Set(all.data.map(({ id }) => id))
    const foreign = others.data.filter(
      ({ attributes }) => attributes['customer_email'] !== environment().customer.email,
    )
    expect(foreign.length).toBeGreaterThan(0)
    for (const { id } of foreign.slice(0, 5)) {
      expect(own.has(id)).toBe(false)
      expectCoreError(await connect().core(`orders/${id}`, { token: mine }), 401, 'UNAUTHORIZED')
    }
  })
})

describe('API2 broken authentication', () => {
  test.each([
    ['no algorithm', (token: string) => forged(token, { alg: 'none', typ: 'JWT' })],
    ['a symmetric one', (token: string) => forged(token, { alg: 'HS512', typ: 'JWT' }, 'AAAA')],
    [
      'a key of its own',
      (token: string) =>
        forged(token, { alg: 'RS512', typ: 'JWT', jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } }, 'AAAA'),
    ],
    [
      'a key from elsewhere',
      (token: string) =>
        forged(token, { alg: 'RS512', typ: 'JWT', jku: 'https://attacker.example/jwks.json' }, 'AAAA'),
    ],
    ['another signature', (token: string) => `${token.slice(0, -8)}AAAAAAAA`],
  ])('a token with %s is refused by both interfaces', async (_name, change) => {
    const token = change(await accessToken('integration'))
    expectCoreError(await connect().core('skus', { token }), 401, 'INVALID_TOKEN')
    expectMetricsError(await connect().metrics('orders/stats', STATS, { token }), 401, 'UNAUTHORIZED')
  })
  test(
    'guessing at passwords ends',
    provedBy('services/auth/test/http/guessing.test.ts', 'are 10 of 40 that come at once'),
  )
  test(
    'and tells nothing of accounts',
    provedBy(
      'services/auth/test/http/guessing.test.ts',
      'give the same answer, word for word, for a known and an unknown email',
    ),
  )
  test(
    'guessing at secrets ends',
    provedBy(
      'services/auth/test/http/guessing.test.ts',
      'are answered 30 times a client and address, then 429 before the secret is looked at',
    ),
  )
  test(
    'a leaked key is withdrawn everywhere',
    provedBy(
      'services/auth/test/db/key-withdrawal.test.ts',
      'ends its tokens in every service, also verified ones; every replica signs with another at once',
    ),
  )
  test(
    'a refresh token is good once',
    provedBy(
      'services/auth/test/http/token-refresh.test.ts',
      'ends the family when an old token is replayed later',
    ),
  )
})

describe('API3 broken object property level authorization', () => {
  test('no attribute that is not shown can be asked for, filtered or sorted by', async () => {
    const token = await accessToken('integration')
    for (const query of [
      { 'fields[customers]': 'password' },
      { 'filter[q][password_eq]': 'x' },
      { sort: 'password_digest' },
    ])
      expectCoreError(await connect().core('customers', { token, query }), 400)
  })
  test.each([
    'id',
    'created_at',
    'status',
    'total_amount_cents',
    'organization_id',
    'environment_id',
    '__proto__',
  ])('an order cannot be given the attribute %s', async (name) => {
    const token = await accessToken('integration')
    const text = `{"data":{"type":"orders","attributes":{"${name}":"approved"}}}`
    const reply = await connect().core('orders', { token, method: 'POST', body: text })
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
  })
  test(
    'a secret is shown once',
    provedBy(
      'services/auth/test/http/provisioning/resources.test.ts',
      'show their secret when they are made and when it is replaced, and never again',
    ),
  )
  test(
    'fields a role may not read are not there',
    provedBy(
      'services/core/test/http/access/restricted-fields.test.ts',
      'that may not be read are left out of every document, relationships too',
    ),
  )
})

describe('API4 unrestricted resource consumption', () => {
  test(
    'tokens are limited',
    provedBy('e2e/contract/other-limits.test.ts', 'Token endpoint · 30 requests per 1 minute, live and test'),
  )
  test(
    'metrics is limited',
    provedBy(
      'e2e/contract/metrics-rate-limits.test.ts',
      'blocked for that call only, for that address only; free again once the window has passed',
    ),
  )
  test('pages are limited', async () => {
    const token = await accessToken('integration')
    const reply = await connect().core('skus', { token, query: { 'page[size]': 1_000_000 } })
    if (reply.status === 200) expect(reply.json<CollectionDocument>().data.length).toBeLessThanOrEqual(25)
    else expectCoreError(reply, 400)
  })
  test('bodies are limited', provedBy('e2e/errors-everywhere.test.ts', 'core: 413'))
  test(
    'a query of metrics is bounded in time, memory and groups',
    provedBy('services/metrics/README.md', 'A query beyond its time, memory, groups or rows'),
  )
  test('an address that claims to be others is limited as itself', async () => {
    const connection = connect()
    const fields = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' }
    const statuses: number[] = []
    for (let turn = 0; turn < 34; turn += 1)
      statuses.push((await connection.token(fields, { 'X-Forwarded-For': `10.0.0.${turn}` })).status)
    // Where the tests themselves say the address in the header, there is nothing to forge.
    if (process.env['MERX_E2E_SOURCE'] !== 'header') expect(statuses.at(-1)).toBe(429)
  })
})

describe('API5 broken function level authorization', () => {
  test.each([
    'internal/access-state',
    'internal/order-feed',
    'internal/order-feed/lease',
    'health/ready',
    'metrics',
    'internal/ingest',
  ])('/%s of the internal listeners is not reached from outside', async (path) => {
    for (const origin of [demo().base_url, demo().auth_url]) {
      const reply = await connect().raw('GET', `${origin}/${path}`)
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.status).toBeLessThan(500)
    }
  })
  test.each(['sales_channel', 'integration', 'integration_read_only'] as const)(
    'a %s does not provision',
    async (name) => {
      const reply = await connect().auth('GET', '/provisioning/users', {
        Authorization: `Bearer ${await accessToken(name)}`,
      })
      expectCoreError(reply, 401)
    },
  )
  test('a read-only integration writes nothing', async () => {
    const token = await accessToken('integration_read_only')
    const body = { data: { type: 'customers', attributes: { email: 'someone@example.com' } } }
    expectCoreError(await connect().core('customers', { token, method: 'POST', body }), 401, 'UNAUTHORIZED')
  })
  test(
    'every cell of the tables of permissions',
    provedBy(
      'services/core/test/http/access/permission-cells.test.ts',
      'may do with %s what the table says, and nothing else',
    ),
  )
})

describe('API6 unrestricted access to sensitive business flows', () => {
  test(
    'a guest does not enumerate orders',
    provedBy(
      'e2e/isolation.test.ts',
      'a sales channel cannot list orders, nor read an order of another market',
    ),
  )
  test('ids cannot be counted through', async () => {
    const token = await accessToken('integration')
    const { data } = await connect().collection('orders', { token, query: { 'page[size]': 10, sort: 'id' } })
    const ids = data.map(({ id }) => id)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z]{10}$/)
    // Neighbours share no more than chance gives them.
    for (const [index, id] of ids.slice(1).entries()) expect(id.slice(0, 5)).not.toBe(ids[index]?.slice(0, 5))
  })
  test('a sales channel sets no price', async () => {
    const token = await accessToken('sales_channel')
    const begun = await connect().core('orders', {
      token,
      method: 'POST',
      body: { data: { type: 'orders' } },
    })
    const { id } = begun.json<ResourceDocument>().data
    const relationships = { order: { data: { type: 'orders', id } } }
    const attributes = { name: 'Mine', quantity: 1, unit_amount_cents: 1 }
    const body = { data: { type: 'line_items', attributes, relationships } }
    const reply = await connect().core('line_items', { token, method: 'POST', body })
    expect([400, 401, 422]).toContain(reply.status)
  })
})

describe('API7 server side request forgery', () => {
  /** Whoever calls out does so through the internal client, or a driver, whose addresses come from the configuration. */
  // `fetch` of another object, such as a cache, calls nobody; the global one does, by either name.
  const CALLS = /(?<!\.)\bfetch\(|globalThis\.fetch\b|from 'node:https?'|from 'undici'|from 'axios'/
  const isSource = (name: string): boolean => name.endsWith('.ts') && !name.includes('.test.')

  test.each([
    ['auth', []],
    // the client that checks and pins addresses (docs/adr/0092-calls-to-the-outside.md), and names of statuses
    ['core', ['outside/kept-answer.ts', 'outside/outside.ts']],
    ['metrics', ['engine/probe-server.ts']], // asks CLICKHOUSE_URL whether it is there
  ])('%s calls no address that a caller names but through one client that checks it', (service, known) => {
    const folder = resolve(import.meta.dirname, `../../services/${service}/src`)
    const callers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(isSource)
      .filter((name) =>
        CALLS.test(readFileSync(resolve(folder, name), 'utf8').replaceAll(/import type .*/g, '')),
      )
    expect(callers).toEqual(known)
  })
})

describe('API8 security misconfiguration', () => {
  test('wrong settings stop the start', provedBy('packages/config/src/load-config.test.ts', 'production'))
  test(
    'headers',
    provedBy('e2e/security/headers.test.ts', 'says nothing of the server and cannot be sniffed'),
  )
  test(
    'nothing of the inside is in an error',
    provedBy('e2e/support/expect-errors.ts', 'node_modules|ECONNREFUSED'),
  )
  test(
    'requests that proxies read in two ways are refused',
    provedBy('e2e/gateway/conformance.test.ts', 'a second request cannot hide in the body of a first'),
  )
  test.each(['TRACE', 'PROPFIND'])('the method %s does nothing', async (method) => {
    const reply = await connect().raw(method, `${demo().auth_url}/oauth/token`)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
  })
})

describe('API9 improper inventory management', () => {
  test(
    'every operation of the documents answers',
    provedBy('e2e/security/openapi-fuzz.long.test.ts', 'core answers each in JSON:API'),
  )
  test('there are no older versions of the interface', async () => {
    for (const path of ['v1/skus', 'api/v1/skus', 'api/v2/skus', 'beta/api/skus'])
      expect((await connect().raw('GET', `${demo().base_url}/${path}`)).status).toBeGreaterThanOrEqual(400)
  })
  test(
    'what is in the images is known',
    provedBy('infra/security/src/bill-of-materials.test.ts', 'names each release'),
  )
})

describe('API10 unsafe consumption of APIs', () => {
  test(
    'what core says is checked before it is stored',
    provedBy('packages/order-feed/src/order-document-schema.test.ts', 'refuses a document without %s'),
  )
  test('a damaged document stops nobody else', provedBy('e2e/faults/list/poison.ts', 'behind-the-damaged'))
  test(
    'answers between services are bounded in time and size',
    provedBy(
      'packages/http/test/http/internal-client.test.ts',
      'stops reading an answer larger than the limit',
    ),
  )
})

test('an unknown client gets the same answer as a known one with a wrong secret', async () => {
  const { client_id } = environment().credentials.integration
  const ask = (id: string) =>
    connect().token({ grant_type: 'client_credentials', client_id: id, client_secret: 'wrong' })
  const [known, unknown] = [await ask(client_id), await ask('nobody')]
  expect(expectOAuthError(unknown, 401).error).toBe(expectOAuthError(known, 401).error)
})

test('the threat model names a test that exists for each defence', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/reference/threat-model.md'), 'utf8')
  const named = [...page.matchAll(/`((?:e2e|services|packages|infra)\/[^`]+\.test\.ts)`/g)].map(
    ([, file]) => file ?? '',
  )
  expect(named.length).toBeGreaterThan(15)
  for (const file of named)
    expect(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8')).toContain('(')
})
