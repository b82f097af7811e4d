/** The composed service in process, with real tokens, a clock that stands still and an engine of the test's choice. */
import { once } from 'node:events'
import type { Permission } from '@merx/access-token/caller'
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { createVerifier } from '@merx/access-token/verifier'
import { createFakeClock, type FakeClock } from '@merx/testing/fake-clock'
import { inProcessClient, type InProcessResponse } from '@merx/testing/in-process-client'
import { createTokenMint, type ClaimOverrides } from '@merx/testing/mint-token'
import { silentLogger } from '@merx/testing/silent-logger'
import { compose, type Metrics } from '../../src/compose.ts'
import { loadMetricsConfig } from '../../src/config.ts'
import type { CountedRows, Engine, Row } from '../../src/engine/engine.ts'
import type { FeedSource } from '../../src/ingest/feed-source.ts'
import type { Statement } from '../../src/sql/statement.ts'
import { FED_TABLES, SHAPE } from '../../src/store/table-definitions.ts'
import { ORGANIZATIONS } from './documents.ts'

export const ACCEPT = 'application/vnd.api.v1+json'
export const CONTENT_TYPE = 'application/vnd.api+json'

const LIVE_TABLES: readonly Row[] = FED_TABLES.map((name) => ({
  name,
  comment: JSON.stringify({ generation: 1, shape: SHAPE }),
}))
const LIVE_COLUMNS: readonly Row[] = FED_TABLES.map((table) => ({ table, name: 'environment' }))

/** An engine that keeps what it is asked, besides which tables and columns there are, and answers with no rows. */
export const createRecordingEngine = () => {
  const statements: Statement[] = []
  const engine: Engine = {
    run: async (statement): Promise<readonly Row[]> => {
      if (statement.text.includes('FROM system.tables')) return LIVE_TABLES
      if (statement.text.includes('FROM system.columns')) return LIVE_COLUMNS
      statements.push(statement)
      return []
    },
    runCounted: async (statement): Promise<CountedRows> => {
      statements.push(statement)
      return { rows: [], total: 0 }
    },
    insert: async () => undefined,
    insertLines: async () => undefined,
    execute: async () => undefined,
    ping: async () => undefined,
    close: async () => undefined,
  }
  return { engine, statements }
}

/** A feed that never has anything: it holds a waiting request until the caller goes away, as core does. */
export const emptyFeed: FeedSource = {
  read: async ({ waitSeconds, signal }) => {
    if (waitSeconds > 0 && !signal.aborted) await once(signal, 'abort')
    return new TextEncoder().encode(JSON.stringify({ entries: [], cursor: 'start', caught_up: true }))
  },
  takeLease: async () => ({ isHeld: true, token: 1, report: {}, backlog: 0 }),
}

export interface AskOptions {
  readonly token?: string | null
  readonly method?: string
  /** A header set to null is left out. */
  readonly headers?: Readonly<Record<string, string | null>>
}

export interface TestApp {
  readonly clock: FakeClock
  readonly metrics: Metrics
  mint(claims?: ClaimOverrides): Promise<string>
  /** With the headers the contract requires and an admin integration's token, by default. */
  ask(path: string, body: unknown, options?: AskOptions): Promise<InProcessResponse>
  close(): Promise<void>
}

export interface TestAppOptions {
  readonly engine: Engine
  readonly env?: Readonly<Record<string, string>>
  readonly now?: string
  /** Permissions of custom roles by role id, as auth tells them. */
  readonly roles?: ReadonlyMap<string, readonly Permission[]>
}

const withHeaders = (given: AskOptions['headers'] = {}): Record<string, string> => {
  const merged = { Accept: ACCEPT, 'Content-Type': CONTENT_TYPE, ...given }
  return Object.fromEntries(
    Object.entries(merged).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

export const openTestApp = async ({ engine, env = {}, now, roles }: TestAppOptions): Promise<TestApp> => {
  const clock = createFakeClock(now ?? '2022-01-15T12:00:00.000Z')
  const tokens = await createTokenMint({ clock })
  const accessState = {
    isLoaded: true,
    isRevoked: () => false,
    roleOf: (id: string) => {
      const permissions = roles?.get(id)
      return permissions === undefined ? undefined : { kind: 'custom' as const, permissions }
    },
  }
  const verifier = createVerifier({ keySet: tokens.keySet, issuer: tokens.issuer, clock, accessState })
  const config = loadMetricsConfig({ SERVICE_KEY: 'a key for tests only', ...env })
  const metrics = await compose(config, { clock, engine, verifier, log: silentLogger, feed: emptyFeed })
  const client = inProcessClient(metrics.app)
  const mint = (claims: ClaimOverrides = {}): Promise<string> => {
    const organization = { id: ORGANIZATIONS[0].id, slug: 'acme', enterprise: true, region: 'eu-west-1' }
    return tokens.mint({ organization, ...claims })
  }
  const ask: TestApp['ask'] = async (path, body, options = {}) => {
    const token = options.token === undefined ? await mint() : options.token
    return client.request(options.method ?? 'POST', path, {
      headers: withHeaders(options.headers),
      ...(token === null ? {} : { token }),
      ...(body === null ? {} : { body }),
    })
  }
  return { clock, metrics, mint, ask, close: () => metrics.close() }
}

/** Claims of each kind of credential. */
export const claimsOf = (
  kind: 'integration' | 'webapp' | 'sales_channel',
  role?: AccessTokenClaims['role'],
) => ({
  application: {
    id: 'applicatio',
    client_id: 'client',
    kind,
    public: kind === 'sales_channel',
    confidential: kind !== 'sales_channel',
  },
  role,
})
