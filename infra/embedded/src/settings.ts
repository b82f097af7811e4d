/** The settings of the one-command system itself. Everything else in the environment goes to the services. */
import path from 'node:path'
import { ConfigError } from '@merx/config/config-error'
import { flag, integer, oneOf, port, text, url, urls } from '@merx/config/fields'
import { loadConfig } from '@merx/config/load-config'
import type { Environment } from '@merx/config/load-config'
import { OperatorError } from './operator-error.ts'

const BASE_PORT = 8080
const AUTH_PORT = 8081
const DEMO_ORDERS = 50_000
export const DEMO_ORDERS_MAX = 10_000_000

const POSTGRES = ['postgresql', 'postgres']

export const settingsSchema = {
  MERX_BASE_PORT: port({ default: BASE_PORT, help: 'Port of `{base_url}`: `/api` and `/metrics`.' }),
  MERX_AUTH_PORT: port({ default: AUTH_PORT, help: 'Port of `{auth_url}`: tokens and keys.' }),
  MERX_HOST: text({
    default: '127.0.0.1',
    help: 'Address both listen on; `0.0.0.0` opens them to the network.',
  }),
  MERX_DATA_DIR: text({ default: '.merx', help: 'Folder of all data.' }),
  MERX_DEMO: flag({ default: true, help: 'Whether the first start loads the demo data.' }),
  MERX_DEMO_ORDERS: integer({
    default: DEMO_ORDERS,
    min: 1,
    max: DEMO_ORDERS_MAX,
    help: 'Orders of the demo data.',
  }),
  MERX_LOG: oneOf(['file', 'stdout'], {
    default: 'file',
    help: 'Where the JSON log goes: `<data folder>/merx.log`, or the terminal.',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    help: 'Least important lines that are logged.',
  }),
  MERX_DOMAIN: text({
    default: 'merx.localhost',
    help: 'Domain in the `iss` claim: `https://auth.<domain>`.',
  }),
  MERX_ISSUER: oneOf(['domain', 'local'], {
    default: 'domain',
    help: '`local`: tokens are issued by the address that answers, `http://localhost:<MERX_AUTH_PORT>`, where OAuth clients discover it.',
  }),
  AUTH_DATABASE_URL: url({
    optional: true,
    protocols: POSTGRES,
    help: 'PostgreSQL of auth, instead of the embedded one.',
  }),
  CORE_DATABASE_URL: url({
    optional: true,
    protocols: POSTGRES,
    help: 'PostgreSQL of core, instead of the embedded one.',
  }),
  REDIS_URL: urls({ optional: true, help: 'Redis, instead of a private one; several nodes mean Cluster.' }),
  CLICKHOUSE_URL: url({
    optional: true,
    protocols: ['http', 'https'],
    help: 'ClickHouse, instead of the embedded one.',
  }),
  TRUST_PROXY: integer({
    default: 0,
    min: 0,
    max: 10,
    help: 'Proxies in front whose X-Forwarded-For is believed.',
  }),
} as const

/** `iss` of tokens when it is not that of the domain; a port that the system chooses is not known early enough. */
export const localIssuerOf = ({
  merxIssuer,
  merxAuthPort,
}: Pick<Settings, 'merxIssuer' | 'merxAuthPort'>): string | undefined => {
  if (merxIssuer === 'domain') return undefined
  if (merxAuthPort === 0)
    throw new OperatorError(
      'MERX_ISSUER=local needs a fixed MERX_AUTH_PORT, which is 0.',
      'Set MERX_AUTH_PORT to a port, for example 8081.',
    )
  return `http://localhost:${merxAuthPort}`
}

export type Settings = ReturnType<typeof loadSettings>

/**
 * Reads the environment; a relative data folder is meant from `root`.
 * @throws OperatorError naming every variable that is wrong.
 */
export const loadSettings = (env: Environment, root: string) => {
  try {
    const { merxDataDir, ...settings } = loadConfig(settingsSchema, env)
    return { ...settings, dataFolder: path.resolve(root, merxDataDir) }
  } catch (error) {
    if (error instanceof ConfigError) {
      throw new OperatorError(error.violations.join('; '), 'README.md lists what can be set.', {
        cause: error,
      })
    }
    throw error
  }
}
