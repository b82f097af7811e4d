/** The composition root: configuration in, a service that is not listening yet out. */
import { issuerOf } from '@merx/access-token/issuer'
import { connectRedis } from '@merx/key-value/connect-redis'
import type { KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createRedisKeyValue } from '@merx/key-value/redis-key-value'
import { createLimiter } from '@merx/rate-limit/create-limiter'
import { limitRequests } from '@merx/rate-limit/limit-requests'
import { systemClock, type Clock } from '@merx/telemetry/clock'
import { createLogger, type Logger } from '@merx/telemetry/logger'
import type { Express, Request } from 'express'
import { createInternalApp, createPublicApp } from './app.ts'
import type { Application } from './applications.ts'
import type { ConsoleConfig } from './config.ts'
import { readPageFiles, type PageFiles } from './page-files.ts'
import { createFindFreshSession } from './sessions/fresh-session.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createAuthorizationServer, type AuthorizationServer } from './sign-in/authorization-server.ts'
import { createPendingSignIns } from './sign-in/pending-sign-ins.ts'

/** What tests and the embedded system put in place of the real thing. */
export interface ConsoleOverrides {
  readonly log?: Logger
  readonly clock?: Clock
  readonly files?: PageFiles
  /** Stays open when the service closes. */
  readonly keyValue?: KeyValue
}

export interface ConsoleSystem {
  readonly app: Express
  readonly internalApp: Express
  start(): Promise<void>
  close(): Promise<void>
}

const openConnections = async (config: ConsoleConfig, log: Logger, clock: Clock, keyValue?: KeyValue) => {
  const redis = config.redisUrl === undefined ? undefined : await connectRedis(config.redisUrl, log)
  if (redis === undefined) log.info('no REDIS_URL: sessions stay in this process')
  const own =
    redis === undefined ? createMemoryKeyValue({ clock }) : createRedisKeyValue({ redis, prefix: 'console:' })
  const close = async (): Promise<void> => {
    await own.close()
    redis?.disconnect()
  }
  return { redis, keyValue: keyValue ?? own, close }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

const createServer = (config: ConsoleConfig, clock: Clock): AuthorizationServer => {
  const publicUrl = withoutSlash(config.publicAuthUrl ?? `https://auth.${config.merxDomain}`)
  return createAuthorizationServer({
    issuer: issuerOf(config),
    publicUrl,
    url: withoutSlash(config.authUrl ?? publicUrl),
    timeoutMs: config.authTimeoutMs,
    clock,
  })
}

/** At `<slug>.<domain>` only that organization is shown: the others are nobody's business there. */
const createApplicationsFor =
  (applications: readonly Application[], domain: string) =>
  ({ hostname }: Request): readonly Application[] => {
    const suffix = `.${domain.toLowerCase()}`
    const name = hostname.toLowerCase()
    if (!name.endsWith(suffix)) return applications
    return applications.filter(({ organization }) => organization === name.slice(0, -suffix.length))
  }

/** Ends the session here first, so that it is over even when auth cannot be reached. */
const createEndSession =
  (
    sessions: Sessions,
    server: AuthorizationServer,
    findApplication: (organization: string, mode: string) => Application | undefined,
    log: Logger,
  ) =>
  async (id: string | undefined): Promise<void> => {
    const session = await sessions.find(id)
    if (session === undefined || id === undefined) return
    await sessions.end(id)
    const application = findApplication(session.organization, session.mode)
    if (application === undefined) return
    try {
      await server.revoke(application, session.tokens.refreshToken)
    } catch (error) {
      log.warn({ err: error }, 'could not revoke the tokens of a session that ended')
    }
  }

/** @example const console = await compose(loadConsoleConfig(process.env)) */
export const compose = async (
  config: ConsoleConfig,
  overrides: ConsoleOverrides = {},
): Promise<ConsoleSystem> => {
  const log = overrides.log ?? createLogger({ service: 'console', level: config.logLevel })
  const clock = overrides.clock ?? systemClock
  const files = overrides.files ?? readPageFiles()
  const { redis, keyValue, close } = await openConnections(config, log, clock, overrides.keyValue)
  const limiter = createLimiter({ redis, clock, scale: config.rateLimitScale, log })
  const { consoleApplications: applications, merxDomain: domain } = config
  const findApplication = (organization: string, mode: string) =>
    applications.find((each) => each.organization === organization && each.mode === mode)
  const limit = limitRequests({
    limiter,
    // As on the sign-in page: both modes have the same budget.
    budget: (req) => ({ class: 'authorization', mode: 'live', endpoint: req.path }),
    exceeded: 'too_many_requests',
  })
  const sessions = createSessions(keyValue, clock)
  const server = createServer(config, clock)
  const endSession = createEndSession(sessions, server, findApplication, log)
  const app = createPublicApp({
    log,
    trustProxy: config.trustProxy,
    files,
    signIn: {
      ...{ log, findApplication, sessions, server, endSession, limit },
      pending: createPendingSignIns(applications, clock),
    },
    session: {
      applicationsFor: createApplicationsFor(applications, domain),
      findSession: createFindFreshSession({ sessions, server, findApplication, clock, log }),
      ...{ endSession, domain, limit },
    },
  })
  return { app, internalApp: createInternalApp(log), start: async () => undefined, close }
}
