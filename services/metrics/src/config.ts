/** The variables of the environment that configure metrics. */
import { flag, decimal, domain, integer, oneOf, port, secret, text, url, urls } from '@merx/config/fields'
import { loadConfig, type Config, type Environment } from '@merx/config/load-config'
import { runFields } from '@merx/http/run-fields'
import { logLevels } from '@merx/telemetry/logger'
import { telemetryFields } from '@merx/telemetry/telemetry-config'

const HTTP = ['http', 'https'] as const

export const metricsConfigSchema = {
  HOST: text({ default: '0.0.0.0', help: 'Address both listeners bind to.' }),
  PORT: port({ default: 3003, help: 'Port of the metrics interface.' }),
  INTERNAL_PORT: port({
    default: 3103,
    help: 'Internal listener: /internal/*, /health/* and /metrics. Never routed to the outside.',
  }),
  LOG_LEVEL: oneOf(logLevels, { default: 'info', help: 'Least level that is logged.' }),
  MERX_DOMAIN: domain({ default: 'merx.localhost', help: 'Tokens are issued by https://auth.<domain>.' }),
  MERX_ISSUER: url({
    protocols: ['http', 'https'],
    optional: true,
    help: 'Issuer of tokens, the same for all services. Default: https://auth.<domain>.',
  }),
  PUBLIC_BASE_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    help: 'Where clients reach {base_url} when it is not <slug>.<domain>.',
  }),
  SERVICE_KEY: secret({ help: 'Shared by the services for internal calls; also signs search cursors.' }),
  TRUST_PROXY: integer({
    default: 0,
    min: 0,
    max: 10,
    help: 'Proxies in front whose X-Forwarded-For counts.',
  }),
  AUTH_INTERNAL_URL: url({
    protocols: HTTP,
    default: 'http://127.0.0.1:3101',
    help: 'Internal address of auth.',
  }),
  CORE_INTERNAL_URL: url({
    protocols: HTTP,
    default: 'http://127.0.0.1:3102',
    help: 'Internal address of core.',
  }),
  CLICKHOUSE_URL: url({
    protocols: HTTP,
    optional: true,
    help: 'ClickHouse server; the database is in the path.',
  }),
  CLICKHOUSE_CLUSTER: text({
    optional: true,
    max: 64,
    help: 'Name of the cluster behind CLICKHOUSE_URL: tables are replicated and spread over its shards.',
  }),
  CLICKHOUSE_PATH: text({
    default: '.merx/analytics',
    help: 'Folder of the embedded engine, used without CLICKHOUSE_URL. One process per folder.',
  }),
  REDIS_URL: urls({
    protocols: ['redis', 'rediss'],
    optional: true,
    help: 'Shares rate limits between replicas.',
  }),
  RATE_LIMIT_SCALE: decimal({ default: 1, min: 0.001, max: 1_000_000, help: 'Multiplies every rate limit.' }),
  METRICS_DIALECT: oneOf(['strict', 'vendor'], {
    default: 'strict',
    help: 'vendor adds the first-level key meta and the operators of each field to date_breakdown.',
  }),
  METRICS_INGEST: flag({ default: true, help: 'Whether this process fills the store from the order feed.' }),
  QUERY_TIMEOUT_MS: integer({ default: 10_000, min: 100, max: 120_000, help: 'Longest time of one query.' }),
  QUERY_MEMORY_MB: integer({ default: 1_024, min: 16, max: 1_048_576, help: 'Most memory of one query.' }),
  QUERY_CONCURRENCY: integer({ default: 3, min: 1, max: 1_000, help: 'Queries that run at once.' }),
  ...runFields,
  ...telemetryFields,
} as const

export type MetricsConfig = Config<typeof metricsConfigSchema>

/** Throws ConfigError with every violation. */
export const loadMetricsConfig = (env: Environment): MetricsConfig => loadConfig(metricsConfigSchema, env)
