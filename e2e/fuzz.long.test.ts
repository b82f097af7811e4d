/**
 * Thousands of generated requests, sensible and damaged, to each interface: whatever comes, the answer is in the
 * interface's own dialect and never a server fault. MERX_FUZZ_SEED and MERX_FUZZ_CASES search further than the suite.
 */
import { createAssertion } from '@commercelayer/js-auth'
import { accessToken, connect } from './support/connect.ts'
import { environment } from './support/demo.ts'
import { createAuthFuzz } from './support/fuzz-auth.ts'
import { createCoreFuzz, type KnownType } from './support/fuzz-core.ts'
import { createMetricsFuzz } from './support/fuzz-metrics.ts'
import {
  authDialect,
  coreDialect,
  metricsDialect,
  type Dialect,
  type FuzzRequest,
} from './support/fuzz-request.ts'
import { createRandom } from './support/random.ts'
import { COLLECTION_TYPES } from './support/resource-types.ts'
import { runFuzz } from './support/run-fuzz.ts'
import { tokensOfEveryKind } from './support/tokens-of-every-kind.ts'

const SEED = Number(process.env['MERX_FUZZ_SEED'] ?? 20_261_120)
const CASES = Number(process.env['MERX_FUZZ_CASES'] ?? 400)
const TEST_MS_MAX = 120_000

/** What a type looks like and some of its rows. */
const learn = async (type: string, token: string): Promise<KnownType> => {
  const { data } = await connect().collection(type, { token, query: { 'page[size]': 5 } })
  const [sample] = data
  return {
    type,
    ids: data.map(({ id }) => id),
    attributes: Object.keys(sample?.attributes ?? {}),
    relationships: Object.keys(sample?.relationships ?? {}),
    samples: data,
  }
}

const run = (next: () => FuzzRequest, dialect: Dialect): Promise<Map<number, number>> =>
  runFuzz({ total: CASES, next, dialect })

describe(`generated requests (seed ${SEED})`, () => {
  it(
    'core answers each in JSON:API',
    async () => {
      const tokens = await tokensOfEveryKind()
      // Its writes land where no other test looks.
      const admin = await accessToken('integration', { mode: 'live', organization: 1 })
      const types = await Promise.all(COLLECTION_TYPES.map((type) => learn(type, admin)))
      const next = createCoreFuzz(createRandom(SEED), types, [admin, admin, admin, ...tokens])
      const statuses = await run(next, coreDialect)
      for (const status of [400, 401]) expect(statuses.get(status)).toBeGreaterThan(0)
    },
    TEST_MS_MAX,
  )

  it(
    'metrics answers each in its own words',
    async () => {
      const tokens = await tokensOfEveryKind()
      const admin = await accessToken('integration')
      const statuses = await run(
        createMetricsFuzz(createRandom(SEED), [admin, admin, admin, ...tokens]),
        metricsDialect,
      )
      for (const status of [400, 401]) expect(statuses.get(status)).toBeGreaterThan(0)
    },
    TEST_MS_MAX,
  )

  it(
    'the authentication host answers each as OAuth',
    async () => {
      const { credentials, customer, private_customer, markets, stores, stock_locations } = environment()
      const claims = (content: object) =>
        createAssertion({ payload: { 'https://commercelayer.io/claims': content as { owner: never } } })
      const known = {
        clients: Object.values(credentials),
        people: [customer, private_customer],
        references: [
          ...markets.map(({ id }) => `market:id:${id}`),
          ...stores.map(({ code }) => `store:code:${code}`),
          ...stock_locations.map(({ id }) => `stock_location:id:${id}`),
        ],
        tokens: await tokensOfEveryKind(),
        assertions: await Promise.all([
          claims({ custom_claim: { name: 'Jörg' } }),
          ...['AAAAAAAAAA', '\u0000', '\ud800', '..', ''].map((id) =>
            claims({ owner: { type: 'Customer', id } }),
          ),
        ]),
      }
      const statuses = await run(createAuthFuzz(createRandom(SEED), known), authDialect)
      for (const status of [400, 401]) expect(statuses.get(status)).toBeGreaterThan(0)
    },
    TEST_MS_MAX,
  )
})
