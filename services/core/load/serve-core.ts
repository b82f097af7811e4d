/**
 * Core as it runs in production, in a process of its own: token, revocation, rate limits and logs on, budgets merely
 * high. Tokens are signed here, by a key that the verifier knows; revocations are looked up as always.
 */
import { createVerifier } from '@merx/access-token/verifier'
import { listen } from '@merx/http/listen'
import { encodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { systemClock } from '@merx/telemetry/clock'
import { createLogger } from '@merx/telemetry/logger'
import { createTokenMint } from '@merx/testing/mint-token'
import { rawErrors } from '../src/app.ts'
import { compose } from '../src/compose.ts'
import { loadCoreConfig } from '../src/config.ts'
import { ORGANIZATION } from './fill-shop.ts'

/** What decides how it runs. */
export interface ServeCoreInput {
  readonly databaseUrl: string
  /** Rate limits per process when absent. */
  readonly redisUrl?: string
}

/** What load has to know. */
export interface ServeCoreFacts {
  /** Of an integration with the admin role. */
  readonly adminToken: string
  /** Of a sales channel with market 1 in scope. */
  readonly marketToken: string
  /** Public ids of rows that fillShop makes. */
  readonly ids: { readonly sku: string; readonly shippingCategory: string }
}

const MARKET_SCOPE = {
  application: {
    id: 'aPPsaLesch',
    client_id: 'sales',
    kind: 'sales_channel',
    public: true,
    confidential: false,
  },
  role: undefined,
  market: {
    id: [encodeId('markets', 1)],
    stock_location_ids: [],
    geocoder_id: null,
    allows_external_prices: false,
  },
  scope: 'market:id:any',
}

runAsTarget(async ({ databaseUrl, redisUrl }: ServeCoreInput) => {
  const config = loadCoreConfig({
    CORE_DATABASE_URL: databaseUrl,
    SERVICE_KEY: 'service-key-of-a-load-test',
    ID_SECRET: TEST_ID_SECRET,
    RATE_LIMIT_SCALE: '1000000',
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  })
  const mint = await createTokenMint()
  const revoked = new Set<string>()
  const verifier = createVerifier({
    keySet: mint.keySet,
    issuer: mint.issuer,
    clock: systemClock,
    accessState: { isLoaded: true, isRevoked: (id) => revoked.has(id), roleOf: () => undefined },
  })
  const log = createLogger({ service: 'core', level: config.logLevel })
  const core = await compose(config, { log, verifier })
  await core.start()
  const server = await listen(core.app, { host: '127.0.0.1', port: await findFreePort(), rawErrors })
  const organization = { ...ORGANIZATION, enterprise: true, region: 'eu-west-1' }
  const facts: ServeCoreFacts = {
    adminToken: await mint.mint({ organization }),
    marketToken: await mint.mint({ organization, ...MARKET_SCOPE }),
    ids: { sku: encodeId('skus', 1), shippingCategory: encodeId('shipping_categories', 1) },
  }
  return {
    url: server.url,
    facts,
    close: async () => {
      await server.close()
      core.endWaits()
      await core.close()
    },
  }
})
