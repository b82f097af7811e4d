/** The composition root: configuration in, a service that is not listening yet out. */
import { issuerOf } from '@merx/access-token/issuer'
import type { ErrorCode } from '@merx/errors/catalogue'
import { createOwnHosts } from '@merx/http/host'
import { createInternalClient } from '@merx/http/internal-client'
import type { KeyValue } from '@merx/key-value/key-value'
import { createChannelListener } from '@merx/postgres/channel-listener'
import type { BudgetClass } from '@merx/rate-limit/budgets'
import type { Limiter } from '@merx/rate-limit/create-limiter'
import { limitRequests } from '@merx/rate-limit/limit-requests'
import { systemClock, type Clock } from '@merx/telemetry/clock'
import { createLogger, type Logger } from '@merx/telemetry/logger'
import type { Express, RequestHandler } from 'express'
import { createInternalApp, createPublicApp } from './app.ts'
import { SYSTEM_ACTOR } from './audit/audit-event.ts'
import { createTokenEvents } from './audit/token-events.ts'
import type { DemoUsers } from './authorize/demo-users.ts'
import { createSessions } from './authorize/sessions.ts'
import { createSignIn } from './authorize/sign-in.ts'
import { createSignedValues } from './authorize/signed-values.ts'
import { createClientAttempts } from './clients/client-attempts.ts'
import { withAttemptLimits } from './clients/with-attempt-limits.ts'
import type { AuthConfig } from './config.ts'
import { openConnections, type Connections } from './connections.ts'
import { createCoreClient, type Core } from './core/core-client.ts'
import { withRecentFacts } from './core/with-recent-facts.ts'
import { createAuthorizationCodes, type AuthorizationCodes } from './grants/authorization-codes.ts'
import { createCustomerSignIn } from './grants/customer-sign-in.ts'
import { createPasswordAttempts, type PasswordAttempts } from './guessing/password-attempts.ts'
import { createKeyEncryption } from './keys/key-encryption.ts'
import { createKeyRing } from './keys/key-ring.ts'
import { createLimits, type Limits } from './limits.ts'
import { createProvisioning, type Provisioning } from './provisioning/provisioning.ts'
import { createChangeSignal } from './roles/change-signal.ts'
import type { AuthorizeRouteDeps } from './routes/authorize.ts'
import type { ScopeFactsReader } from './scopes/resolve-scope.ts'
import { createAccessStateStore } from './store/access-state-store.ts'
import { ACCESS_STATE_CHANNEL } from './store/access-version.ts'
import { createAccountStore } from './store/account-store.ts'
import { createAdministratorStore } from './store/administrator-store.ts'
import { createCredentialStore, withRecentCredentials } from './store/credential-store.ts'
import { pruneExpired } from './store/prune-expired.ts'
import { createRefreshTokenStore } from './store/refresh-token-store.ts'
import { createRoleStore } from './store/role-store.ts'
import { createSigningKeyStore, SIGNING_KEYS_CHANNEL } from './store/signing-key-store.ts'
import { appendTokenEvents } from './store/token-event-store.ts'
import { createUserStore } from './store/user-store.ts'
import { withVersionCheck } from './store/with-version-check.ts'
import { readLiveToken } from './tokens/live-token.ts'
import { createMint } from './tokens/mint-access-token.ts'
import { readOwnToken } from './tokens/read-own-token.ts'
import { createRefreshTokens } from './tokens/refresh-tokens.ts'
import { createReusableTokens, type ReusableTokens } from './tokens/reusable-tokens.ts'
import { createRevocationList } from './tokens/revocation-list.ts'

/** What tests and the embedded system put in place of the real thing. */
export interface AuthOverrides {
  readonly log?: Logger
  readonly clock?: Clock
  readonly core?: Core
  /** Hot state shared by replicas; stays open when the service closes. */
  readonly keyValue?: KeyValue
  readonly limiter?: Limiter
  /** Load tests of fresh tokens hand out no token twice. */
  readonly reusableTokens?: ReusableTokens
  /** How often keys are read again; a minute unless a test moves the clock. */
  readonly keysReloadMs?: number
  /** Who can sign in with one click: the users of a demo, never those of a shop. */
  readonly demoUsers?: DemoUsers
}

export interface AuthSystem {
  readonly app: Express
  readonly internalApp: Express
  readonly provisioning: Provisioning
  /** Loads keys and revocations, then follows their changes. Call it before listening. */
  start(): Promise<void>
  /** Answers waiting long polls, so that the internal listener can close. */
  endWaits(): void
  close(): Promise<void>
}

const KEYS_RELOAD_MS = 60_000
const PRUNE_MS = 3_600_000
const EVENTS_MS = 1_000
/** Changes are heard of at once; that none was missed is looked up as often as this. */
const REVOCATIONS_MS = 500
/** A replica whose last look is longer ago than this may have missed a revocation. */
const IN_STEP_MS = 1_000

/** Tokens, keys and what watches over them. */
const buildTokens = (
  config: AuthConfig,
  { pool, database, keyValue }: Connections,
  { log, clock, isListening }: Pick<AppParts, 'log' | 'clock' | 'isListening'>,
  overrides: AuthOverrides,
) => {
  const events = createTokenEvents({ append: (batch) => appendTokenEvents(database, batch), clock, log })
  const stored = createCredentialStore(database)
  const credentials = withRecentCredentials(stored, clock)
  const accessState = createAccessStateStore(database)
  const changes = createChangeSignal()
  const revocations = createRevocationList(withVersionCheck(accessState, pool), clock, {
    onChange: () => credentials.forget(),
    onKeyWithdrawn: () =>
      void keys
        .load()
        .catch((error: unknown) => log.warn({ err: error }, 'could not read the keys that are left')),
  })
  const onRevoked = async (): Promise<void> => {
    changes.notify()
    await revocations.refresh()
  }
  const keys = createKeyRing({
    store: createSigningKeyStore(database),
    encryption: createKeyEncryption(config.keyEncryptionSecret ?? config.serviceKey),
    bits: config.signingKeyBits,
    clock,
    log,
  })
  const mint = createMint({ keys, clock, issuer: issuerOf(config) })
  const reusableTokens =
    overrides.reusableTokens ??
    createReusableTokens({
      keyValue,
      clock,
      isRevoked: ({ tokenId, kid }) => revocations.isRevoked(tokenId) || revocations.isKeyWithdrawn(kid),
      isInStep: () => isListening() && revocations.ageMs() < IN_STEP_MS,
    })
  const refreshTokens = createRefreshTokens({
    store: createRefreshTokenStore(database),
    clock,
    log,
    onRevoked,
  })
  return {
    stored,
    credentials,
    accessState,
    changes,
    revocations,
    onRevoked,
    keys,
    mint,
    reusableTokens,
    refreshTokens,
    events,
  }
}

type Tokens = ReturnType<typeof buildTokens>

interface AppParts {
  readonly log: Logger
  readonly clock: Clock
  readonly core: Core
  readonly limits: Limits
  readonly stopping: AbortSignal
  readonly isListening: () => boolean
  readonly demoUsers: DemoUsers
}

const buildAuthorize = (
  config: AuthConfig,
  { database }: Connections,
  { credentials }: Tokens,
  parts: AppParts & {
    passwordAttempts: PasswordAttempts
    scopeFacts: ScopeFactsReader
    codes: AuthorizationCodes
    limit: (budgetClass: BudgetClass) => RequestHandler
  },
): AuthorizeRouteDeps => {
  const { log, clock, demoUsers, scopeFacts, codes, limit, passwordAttempts } = parts
  const accounts = createAccountStore(database)
  const signed = createSignedValues(config.keyEncryptionSecret ?? config.serviceKey)
  return {
    log,
    issuer: issuerOf(config),
    credentials,
    scopeFacts,
    accounts,
    demoUsers,
    codes,
    sessions: createSessions(signed, clock),
    signIn: createSignIn({ accounts, signed, attempts: passwordAttempts }),
    limit: limit('authorization'),
  }
}

const buildInternalApp = (
  config: AuthConfig,
  { pool }: Connections,
  { keys, accessState, changes, stored }: Tokens,
  { log, clock, isListening, stopping }: AppParts,
): Express =>
  createInternalApp({
    log,
    keys,
    serviceKey: config.serviceKey,
    accessState: { reader: accessState, changes, clock, isListening, stopping },
    applications: stored,
    ready: {
      database: async () => {
        await pool.query('SELECT 1')
      },
    },
  })

const buildApps = (config: AuthConfig, connections: Connections, tokens: Tokens, parts: AppParts) => {
  const { log, clock, core, limits } = parts
  const { database, keyValue } = connections
  const { keys, accessState, stored } = tokens
  // Both modes have the same budget here, and whose mode it is shows only after the work it is to limit.
  const limit = (budgetClass: BudgetClass, exceeded: ErrorCode = 'oauth_too_many_requests') =>
    limitRequests({
      limiter: limits.requests,
      budget: (req) => ({ class: budgetClass, mode: 'live', endpoint: req.path }),
      exceeded,
    })
  const users = createUserStore(database)
  const codes = createAuthorizationCodes(keyValue)
  const scopeFacts = withRecentFacts(core, clock)
  const issuer = issuerOf(config)
  const attempts = createClientAttempts({ limits: limits.secrets, clock })
  const passwordAttempts = createPasswordAttempts(limits.passwords)
  const shared = { ...tokens, clock, authenticate: withAttemptLimits(tokens.credentials, attempts) }
  const readLiveClaims = (token: string) => readLiveToken(token, { ...shared, issuer })
  const withoutSlash = (url: string | undefined) => url?.replace(/\/+$/, '')
  const domain = config.merxDomain
  const hosts = createOwnHosts({ domain, publicUrl: withoutSlash(config.publicAuthUrl) })
  const app = createPublicApp({
    log,
    trustProxy: config.trustProxy,
    keys,
    token: {
      ...shared,
      limit: limit('token'),
      core,
      signInCustomer: createCustomerSignIn({ core, keyValue, attempts: passwordAttempts }),
      scopeFacts,
      users,
      codes,
    },
    revoke: {
      ...shared,
      limit: limit('revocation'),
      store: accessState,
      readClaims: (token) => readOwnToken(token, keys),
    },
    authorize: buildAuthorize(config, connections, tokens, {
      ...parts,
      scopeFacts,
      codes,
      limit,
      passwordAttempts,
    }),
    introspect: {
      ...shared,
      issuer,
      core,
      users,
      limit: limit('token_information'),
      findCredentialById: (id) => stored.findById(id),
    },
    tokenInfo: {
      log,
      clock,
      core,
      limit: limit('token_information', 'too_many_requests'),
      limiter: limits.requests,
      hosts: createOwnHosts({ domain, publicUrl: withoutSlash(config.publicBaseUrl) }),
      findCredentialById: (id) => stored.findById(id),
      listWebapps: (credential) => stored.listWebapps(credential),
      roles: createRoleStore(database),
      users,
      readLiveClaims,
    },
    metadata: { issuer, hosts },
    provisioning: {
      ...{ log, clock, core, database, readLiveClaims, hosts },
      limiter: limits.requests,
      administrators: createAdministratorStore(database),
    },
  })
  return { app, internalApp: buildInternalApp(config, connections, tokens, parts) }
}

const createCore = (config: AuthConfig, log: Logger): Core =>
  createCoreClient(
    createInternalClient({
      url: config.coreInternalUrl,
      key: config.serviceKey,
      timeoutMs: config.coreTimeoutMs,
      log,
    }),
  )

/** Follows what other replicas change (revocations, roles, keys), and tidies up now and then. */
const keepInStep = (
  config: AuthConfig,
  { database }: Connections,
  tokens: Tokens,
  log: Logger,
  clock: Clock,
  keysReloadMs: number,
) => {
  const { keys, changes, revocations, events } = tokens
  const attempt = (what: string, act: () => Promise<unknown>) => (): void =>
    void act().catch((error: unknown) => log.warn({ err: error }, `could not ${what}`))
  const loadKeys = attempt('read the signing keys', () => keys.load())
  const readRevocations = attempt('read new revocations', () => revocations.refresh())
  const prune = attempt('remove what has expired', () => pruneExpired(database, clock.now()))
  const listener = createChannelListener({
    applicationName: 'auth-listener',
    url: config.authDatabaseUrl,
    log,
    on: {
      [ACCESS_STATE_CHANNEL]: () => {
        changes.notify()
        readRevocations()
      },
      [SIGNING_KEYS_CHANNEL]: loadKeys,
    },
  })
  const timers: NodeJS.Timeout[] = []
  return {
    isConnected: () => listener.isConnected(),
    start: async (): Promise<void> => {
      await listener.start()
      await Promise.all([keys.load(), revocations.refresh()])
      timers.push(setInterval(loadKeys, keysReloadMs).unref(), setInterval(prune, PRUNE_MS).unref())
      timers.push(setInterval(() => void events.flush(), EVENTS_MS).unref())
      timers.push(setInterval(readRevocations, REVOCATIONS_MS).unref())
    },
    close: async (): Promise<void> => {
      for (const timer of timers) clearInterval(timer)
      await listener.close()
      await events.flush()
    },
  }
}

/**
 * @example const auth = await compose(loadAuthConfig(process.env)); await auth.start()
 */
export const compose = async (config: AuthConfig, overrides: AuthOverrides = {}): Promise<AuthSystem> => {
  const log = overrides.log ?? createLogger({ service: 'auth', level: config.logLevel })
  const clock = overrides.clock ?? systemClock
  const core = overrides.core ?? createCore(config, log)
  const connections = await openConnections(config, log, clock, overrides.keyValue)
  const { database, redis } = connections
  const limits = createLimits({ redis, clock, scale: config.rateLimitScale, log })
  const isListening = () => inStep.isConnected()
  const tokens = buildTokens(config, connections, { log, clock, isListening }, overrides)
  const inStep = keepInStep(config, connections, tokens, log, clock, overrides.keysReloadMs ?? KEYS_RELOAD_MS)
  const stopping = new AbortController()
  const apps = buildApps(config, connections, tokens, {
    log,
    clock,
    core,
    limits: overrides.limiter === undefined ? limits : { ...limits, requests: overrides.limiter },
    stopping: stopping.signal,
    isListening,
    demoUsers: overrides.demoUsers ?? (() => []),
  })
  return {
    ...apps,
    provisioning: createProvisioning({ database, core, clock, actor: SYSTEM_ACTOR }),
    start: () => inStep.start(),
    endWaits: () => stopping.abort(),
    close: async () => {
      stopping.abort()
      await inStep.close()
      await connections.close()
    },
  }
}
