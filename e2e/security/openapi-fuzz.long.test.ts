/**
 * Requests made from the OpenAPI documents of all interfaces, so that no endpoint is left out: whatever comes, the answer
 * is in the interface's own dialect and never a server fault. A search further than the suite's:
 * MERX_OPENAPI_CASES=10000 MERX_FUZZ_SEED=7 npm test -- e2e/security/openapi-fuzz
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { accessToken, connect, METRICS_ACCEPT, JSON_API } from '../support/connect.ts'
import { demo } from '../support/demo.ts'
import {
  authDialect,
  coreDialect,
  metricsDialect,
  type Dialect,
  type FuzzRequest,
} from '../support/fuzz-request.ts'
import { createRandom } from '../support/random.ts'
import { COLLECTION_TYPES } from '../support/resource-types.ts'
import { runFuzz } from '../support/run-fuzz.ts'
import { tokensOfEveryKind } from '../support/tokens-of-every-kind.ts'
import { createOpenApiRequests } from './support/openapi-requests.ts'
import { listOperations, type OpenApiDocument, type Operation } from './support/openapi.ts'

const SEED = Number(process.env['MERX_FUZZ_SEED'] ?? 20_261_121)
/** Of each interface; an operation has at least one. */
const CASES = Number(process.env['MERX_OPENAPI_CASES'] ?? 500)
const TEST_MS_MAX = 600_000

const readReference = (name: string): OpenApiDocument =>
  JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../docs/reference', name), 'utf8'),
  ) as OpenApiDocument

/** Every operation as often as every other, give or take one. */
const run = async (
  operations: readonly Operation[],
  build: (operation: Operation) => FuzzRequest,
  dialect: Dialect,
): Promise<Map<number, number>> => {
  const total = Math.max(CASES, operations.length)
  const next = (index: number): FuzzRequest => build(operations[index % operations.length] ?? fail())
  const statuses = await runFuzz({ total, next, dialect })
  process.stderr.write(
    `${total} requests to ${operations.length} operations: ${JSON.stringify([...statuses].sort())}\n`,
  )
  return statuses
}

const fail = (): never => {
  throw new Error('the document has no such operations')
}

/** The addresses of core whose answers are no JSON:API: services/core/test/http/api/public.test.ts. */
const JSON_SCHEMAS = '/api/public/schemas/'

describe(`requests from the OpenAPI documents (seed ${SEED})`, () => {
  it(
    'core answers each in JSON:API',
    async () => {
      // Its writes land where no other test looks.
      const admin = await accessToken('integration', { mode: 'live', organization: 1 })
      const reply = await connect().core('openapi.json', { token: admin, headers: { Accept: '*/*' } })
      const document = reply.json<OpenApiDocument>()
      const operations = listOperations(document)
        .filter(({ path }) => !path.startsWith(JSON_SCHEMAS))
        .map((each) => ({
          ...each,
          path: each.path.replace(/^\/api(?=\/)/, ''), // the dialect's address has it
        }))
      expect(operations.length).toBeGreaterThan(COLLECTION_TYPES.length)
      const ids = new Map<string, readonly string[]>()
      for (const type of COLLECTION_TYPES) {
        const { data } = await connect().collection(type, { token: admin, query: { 'page[size]': 3 } })
        ids.set(
          type,
          data.map(({ id }) => id),
        )
      }
      const build = createOpenApiRequests({
        document,
        random: createRandom(SEED),
        tokens: [...Array<string>(6).fill(admin), ...(await tokensOfEveryKind())],
        idsOf: (path) => ids.get(path.split('/')[1] ?? '') ?? [],
        accept: JSON_API,
      })
      const statuses = await run(operations, build, coreDialect)
      for (const status of [200, 400]) expect(statuses.get(status)).toBeGreaterThan(0)
    },
    TEST_MS_MAX,
  )

  it(
    'metrics answers each in its own words',
    async () => {
      const document = readReference('metrics-openapi.json')
      const build = createOpenApiRequests({
        document,
        random: createRandom(SEED),
        tokens: [...Array<string>(3).fill(await accessToken('integration')), ...(await tokensOfEveryKind())],
        idsOf: () => [],
        accept: METRICS_ACCEPT,
      })
      const exports = /^text\/csv|^application\//
      const dialect = { ...metricsDialect, mediaType: exports }
      const statuses = await run(listOperations(document), build, dialect)
      for (const status of [200, 401]) expect(statuses.get(status)).toBeGreaterThan(0)
    },
    TEST_MS_MAX,
  )

  it(
    'the authentication host answers each as OAuth or as JSON:API',
    async () => {
      const document = readReference('auth-openapi.json')
      const operations = listOperations(document)
      expect(operations.length).toBeGreaterThan(20)
      const tokens = await tokensOfEveryKind()
      const build = createOpenApiRequests({
        document,
        random: createRandom(SEED),
        tokens,
        idsOf: () => demo().organizations.map(({ id }) => id),
        accept: '*/*',
      })
      const isOAuth = ({ path }: Operation): boolean =>
        /^\/(oauth\/(token|revoke|introspect)$|\.well-known)/.test(path)
      const keys = /^application\/(jwk-set\+)?json/
      const statuses = await run(operations.filter(isOAuth), build, { ...authDialect, mediaType: keys })
      expect(statuses.get(400)).toBeGreaterThan(0)
      const provisioning = operations.filter(({ path }) => /^\/(provisioning|oauth\/tokeninfo)/.test(path))
      const refused = await run(provisioning, build, {
        ...coreDialect,
        url: authDialect.url,
        mediaType: /^application\/(vnd\.api\+)?json/, // tokeninfo succeeds as plain JSON
      })
      expect(refused.get(401)).toBeGreaterThan(0)
    },
    TEST_MS_MAX,
  )

  it(
    'the sign-in page answers each with a page or a redirect',
    async () => {
      const document = readReference('auth-openapi.json')
      const [page] = listOperations(document).filter(({ path }) => path === '/oauth/authorize')
      if (page === undefined) throw new Error('the document has no sign-in page')
      const build = createOpenApiRequests({
        document,
        random: createRandom(SEED),
        tokens: [],
        idsOf: () => [],
        accept: 'text/html',
      })
      const statuses = new Set<number>()
      for (let sent = 0; sent < CASES / 10; sent += 1) {
        const { method, path, headers } = build(page)
        const reply = await connect().raw(method, `${demo().auth_url}${path}`, headers)
        statuses.add(reply.status)
        expect(reply.status).toBeLessThan(500)
        if (reply.status !== 302)
          expect(reply.headers['content-type']).toMatch(/^(text\/html|application\/json)/)
      }
      expect(statuses.has(400)).toBe(true)
    },
    TEST_MS_MAX,
  )
})
