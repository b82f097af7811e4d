/** Everything that can be set from outside, in one list. README.md shows it; describeConfig writes that table. */
import { decimal, domain, integer, oneOf, port, secret, text, url, urls } from '@merx/config/fields'
import { loadConfig } from '@merx/config/load-config'
import type { Config, Environment } from '@merx/config/load-config'
import { networks } from '@merx/config/networks'
import { runFields } from '@merx/http/run-fields'
import { logLevels } from '@merx/telemetry/logger'
import { telemetryFields } from '@merx/telemetry/telemetry-config'

const HTTP = ['http', 'https'] as const

const DAYS_MAX = 3_650
const days = (options: { readonly default: number; readonly help: string }) =>
  integer({ ...options, min: 1, max: DAYS_MAX })

export const coreConfigSchema = {
  HOST: text({ default: '0.0.0.0', help: 'Address both listeners bind to.' }),
  PORT: port({ default: 3002, help: 'Public listener: /api/*.' }),
  INTERNAL_PORT: port({
    default: 3102,
    help: 'Internal listener: /internal/*, /health/* and /metrics. Never routed to the outside.',
  }),
  LOG_LEVEL: oneOf(logLevels, { default: 'info', help: 'Least level that is logged.' }),
  MERX_DOMAIN: domain({
    default: 'merx.localhost',
    help: 'Tokens are issued by https://auth.<domain>, whatever the address.',
  }),
  MERX_ISSUER: url({
    protocols: ['http', 'https'],
    optional: true,
    help: 'Issuer of tokens, the same for all services. Default: https://auth.<domain>.',
  }),
  PUBLIC_BASE_URL: url({
    protocols: HTTP,
    optional: true,
    help: 'Where links in answers start, for example https://shop.example.com. Default: the host of the request when it is one of this system.',
  }),
  CORE_DATABASE_URL: url({
    protocols: ['postgresql', 'postgres'],
    help: 'PostgreSQL database of this service.',
  }),
  DATABASE_CONNECTIONS_MAX: integer({
    default: 10,
    min: 2,
    max: 200,
    help: 'Most connections of one process.',
  }),
  STATEMENT_TIMEOUT_MS: integer({
    default: 10_000,
    min: 100,
    max: 120_000,
    help: 'PostgreSQL cancels a statement that runs longer.',
  }),
  REDIS_URL: urls({
    protocols: ['redis', 'rediss'],
    optional: true,
    help: 'Shares rate limits between replicas; several nodes mean Cluster.',
  }),
  AUTH_INTERNAL_URL: url({
    protocols: HTTP,
    default: 'http://127.0.0.1:3101',
    help: "Origin of auth's internal listener: keys, revocations, roles, applications.",
  }),
  AUTH_TIMEOUT_MS: integer({
    default: 5_000,
    min: 100,
    max: 60_000,
    help: 'Longest wait for an answer of auth.',
  }),
  SERVICE_KEY: secret({ help: 'Shared by the services for their internal calls.' }),
  ID_SECRET: secret({
    minLength: 32,
    help: 'Makes public ids unguessable. Of one database, for ever: with another one every id changes.',
  }),
  JOB_WORKERS: integer({
    default: 2,
    min: 0,
    max: 32,
    help: 'Background jobs, such as imports and exports, that this process works on at once; 0 leaves them to others.',
  }),
  EVENT_DAYS: days({ default: 90, help: 'Days that events are kept; none goes before it is delivered.' }),
  EVENT_CALLBACK_DAYS: days({
    default: 30,
    help: 'Days that event callbacks are kept: what webhooks sent and what was answered.',
  }),
  WEBHOOK_DELIVERY_DAYS: days({
    default: 30,
    help: 'Days that deliveries are kept that failed for the last time or wait for a circuit to be reset.',
  }),
  VERSION_DAYS: integer({
    default: 0,
    min: 0,
    max: DAYS_MAX,
    help: 'Days that versions and event stores are kept, the history of every record; 0 keeps them for ever.',
  }),
  BULK_JOB_DAYS: days({
    default: 90,
    help: 'Days that finished imports and exports are kept with their files.',
  }),
  OUTSIDE_ALLOWED_NETWORKS: networks({
    default: [],
    help: 'Networks that webhooks and outside services may be in although they are not public, for example 10.20.0.0/16.',
  }),
  TRUST_PROXY: integer({
    default: 0,
    min: 0,
    max: 10,
    help: 'Number of proxies in front whose X-Forwarded-* headers are believed.',
  }),
  RATE_LIMIT_SCALE: decimal({
    default: 1,
    min: 0.001,
    max: 1_000_000,
    help: 'Multiplies every rate budget, for load tests.',
  }),
  ...runFields,
  ...telemetryFields,
}

export type CoreConfig = Config<typeof coreConfigSchema>

/** @throws ConfigError with all violations at once. */
export const loadCoreConfig = (env: Environment): CoreConfig => loadConfig(coreConfigSchema, env)
