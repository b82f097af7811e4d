/** Everything that can be set from outside, in one list. README.md shows it; describeConfig writes that table. */
import { decimal, domain, integer, oneOf, port, text, url, urls } from '@merx/config/fields'
import { loadConfig, type Config, type Environment } from '@merx/config/load-config'
import { runFields } from '@merx/http/run-fields'
import { logLevels } from '@merx/telemetry/logger'
import { telemetryFields } from '@merx/telemetry/telemetry-config'
import { applications } from './applications.ts'

export const consoleConfigSchema = {
  HOST: text({ default: '0.0.0.0', help: 'Address both listeners bind to.' }),
  PORT: port({ default: 3004, help: 'Public listener: / and /console.' }),
  INTERNAL_PORT: port({
    default: 3104,
    help: 'Internal listener: /health/* and /metrics. Never routed to the outside.',
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
    help: 'Where browsers reach auth. Default: https://auth.<domain>.',
  }),
  AUTH_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    help: "Where this service reaches auth's public listener. Default: PUBLIC_AUTH_URL.",
  }),
  AUTH_TIMEOUT_MS: integer({
    default: 5_000,
    min: 100,
    max: 60_000,
    help: 'Longest wait for an answer of auth.',
  }),
  CONSOLE_APPLICATIONS: applications({
    help: 'Credentials of kind webapp that users sign in with, one for each organization and mode.',
  }),
  REDIS_URL: urls({
    protocols: ['redis', 'rediss'],
    optional: true,
    help: 'Where sessions are; several nodes mean Cluster. Without it each process keeps its own.',
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

export type ConsoleConfig = Config<typeof consoleConfigSchema>

/** @throws ConfigError with all violations at once. */
export const loadConsoleConfig = (env: Environment): ConsoleConfig => loadConfig(consoleConfigSchema, env)
