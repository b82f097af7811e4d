/**
 * Auth's internal interface as core uses it, answered from recorded-auth.json: core is measured alone. Tokens have the
 * claims that were recorded, with the market of the shop that load fills, and are signed by a key of this process.
 */
import { runAsTarget } from '@merx/load/run-as-target'
import { serveApp } from '@merx/load/serve-app'
import { createTokenMint } from '@merx/testing/mint-token'
import type { RequestHandler } from 'express'
import { SWITCHED_MARKET } from './fill-shop.ts'
import { encodeId } from './load-ids.ts'
import { claimsOf, recording } from './recorded-auth.ts'

/** Tokens of two clients of the organization and mode of load's shop. */
export interface RecordedAuthFacts {
  /** Of an integration with the admin role. */
  readonly adminToken: string
  /** More of that integration, for what is limited by token. */
  readonly adminTokens: readonly string[]
  /** Of a sales channel with market 1 in scope. */
  readonly marketToken: string
  /** Of that sales channel with the market whose price list is switched. */
  readonly switchedMarketToken: string
}

export interface RecordedAuthInput {
  readonly organization: { readonly id: string; readonly slug: string }
}

/** The whole state at once; a later request waits for ever, because nothing changes. */
const accessState: RequestHandler = (req, res) => {
  const waitMs = req.query['after'] === undefined ? 0 : Number(req.query['wait_seconds'] ?? 0) * 1000
  const timer = setTimeout(() => res.json(recording.access_state), waitMs)
  res.on('close', () => clearTimeout(timer))
}

const ADMIN_TOKENS = 100

const inMarket = (number: number) => ({
  market: {
    id: [encodeId('markets', number)],
    stock_location_ids: [],
    geocoder_id: null,
    allows_external_prices: false,
  },
})

runAsTarget(async ({ organization: { id, slug } }: RecordedAuthInput) => {
  const mint = await createTokenMint()
  const organization = { ...(recording.claims.integration.organization as object), id, slug }
  const shared = { organization, test: true }
  const integration = claimsOf('integration')
  const salesChannel = { role: undefined, ...claimsOf('sales_channel') }
  const facts: RecordedAuthFacts = {
    adminToken: await mint.mint({ ...integration, ...shared }),
    adminTokens: await Promise.all(
      Array.from({ length: ADMIN_TOKENS }, () => mint.mint({ ...integration, ...shared })),
    ),
    marketToken: await mint.mint({ ...salesChannel, ...shared, ...inMarket(1) }),
    switchedMarketToken: await mint.mint({ ...salesChannel, ...shared, ...inMarket(SWITCHED_MARKET) }),
  }
  return {
    facts,
    ...(await serveApp((app) => {
      app.get('/.well-known/jwks.json', (_req, res) => {
        res.json(mint.keySet)
      })
      app.get('/internal/access-state', accessState)
    })),
  }
})
