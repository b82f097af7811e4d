/** Everything that can be set from outside, in one list. README.md shows it; describeConfig writes that table. */
import { decimal, domain, integer, oneOf, port, secret, text, url, urls } from '@merx/config/fields'
import { loadConfig, type Config, type Environment } from '@merx/config/load-config'
import { runFields } from '@merx/http/run-fields'
import { logLevels } from '@merx/telemetry/logger'
import { telemetryFields } from '@merx/telemetry/telemetry-config'

export const configSchema = {
  HOST: text({ default: '0.0.0.0', help: 'Address both listeners bind to.' }),
  PORT: port({ default: 3001, help: 'Public listener: /oauth/* and /.well-known/*.' }),
  INTERNAL_PORT: port({
    default: 3101,
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
  PUBLIC_AUTH_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    help: 'Where clients reach the public listener, for server metadata. Default: the host of the request when it is one of this system.',
  }),
  PUBLIC_BASE_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    help: 'Where clients reach {base_url} when it is not <slug>.<domain>.',
  }),
  AUTH_DATABASE_URL: url({
    protocols: ['postgresql', 'postgres'],
    help: 'PostgreSQL database of this service.',
  }),
  DATABASE_CONNECTIONS_MAX: integer({
    default: 10,
    min: 2,
    max: 200,
    help: 'Most connections of one process.',
  }),
  REDIS_URL: urls({
    protocols: ['redis', 'rediss'],
    optional: true,
    help: 'Shared hot state; several nodes mean Cluster. Without it each process keeps its own.',
  }),
  CORE_INTERNAL_URL: url({ protocols: ['http', 'https'], help: "Origin of core's internal listener." }),
  CORE_TIMEOUT_MS: integer({
    default: 5_000,
    min: 100,
    max: 60_000,
    help: 'Longest wait for an answer of core.',
  }),
  SERVICE_KEY: secret({ help: 'Shared by the services for their internal calls.' }),
  KEY_ENCRYPTION_SECRET: secret({
    optional: true,
    help: 'Seals private signing keys in the database. Default: SERVICE_KEY.',
  }),
  SIGNING_KEY_BITS: integer({
    default: 4_096,
    min: 2_048,
    max: 8_192,
    help: 'Size of new RSA signing keys.',
  }),
  TRUST_PROXY: integer({
    default: 0,
    min: 0,
    max: 10,
    help: 'Number of proxies in front whose X-Forwarded-For is believed.',
  }),
  RATE_LIMIT_SCALE: decimal({
    default: 1,
    min: 0.01,
    max: 1_000_000,
    help: 'Multiplies every rate budget, for load tests.',
  }),
  ...runFields,
  ...telemetryFields,
}

export type AuthConfig = Config<typeof configSchema>

/** @throws ConfigError with all violations at once. */
export const loadAuthConfig = (env: Environment): AuthConfig => loadConfig(configSchema, env)
