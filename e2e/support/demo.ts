import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The two environments of an organization. */
export type Mode = 'test' | 'live'

/** The credentials of one environment, by their name in `.merx/demo.json`. */
export const CREDENTIALS = [
  'sales_channel',
  'integration',
  'integration_read_only',
  'integration_custom',
  'webapp',
] as const
export type CredentialName = (typeof CREDENTIALS)[number]

export interface Credential {
  readonly client_id: string
  readonly client_secret: string
}

export interface DemoMarket {
  readonly id: string
  readonly code: string
  readonly private: boolean
}

export interface DemoStore {
  readonly id: string
  readonly code: string
  readonly market_id: string
}

export interface DemoStockLocation {
  readonly id: string
  readonly code: string
  readonly market_ids: readonly string[]
}

export interface Environment {
  readonly credentials: Readonly<Record<CredentialName, Credential>> & {
    readonly webapp: Credential & { readonly redirect_uri: string }
  }
  readonly markets: readonly DemoMarket[]
  readonly stores: readonly DemoStore[]
  readonly stock_locations: readonly DemoStockLocation[]
  readonly customer: { readonly email: string; readonly password: string }
  readonly private_customer: {
    readonly email: string
    readonly password: string
    readonly market_code: string
  }
}

export interface DemoOrganization {
  readonly slug: string
  readonly id: string
  readonly environments: Readonly<Record<Mode, Environment>>
}

/** The whole of `.merx/demo.json`. */
export interface Demo {
  readonly base_url: string
  readonly auth_url: string
  readonly domain: string
  readonly organizations: readonly DemoOrganization[]
}

/** The first of a list that satisfies `accept`; throws, naming what was looked for, when there is none. */
export const first = <T>(list: readonly T[], what: string, accept: (item: T) => boolean = () => true): T => {
  const found = list.find(accept)
  if (found === undefined) throw new Error(`the demo data has no ${what}`)
  return found
}

/** Reads the demo file of a data folder. */
export const readDemo = (dataDir: string): Demo =>
  JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo

/** Data folder of the system that the global set-up started. */
export const dataDir = (): string => {
  const folder = process.env['MERX_DATA_DIR']
  if (folder === undefined) throw new Error('MERX_DATA_DIR is not set: the global set-up has not run')
  return folder
}

/** The demo file of the running system. Read when a test runs, never while titles are collected. */
export const demo = (): Demo => readDemo(dataDir())

/** One organization of the demo data; 0 is the one most tests use, 1 is another one. */
export const organization = (index = 0): DemoOrganization => {
  const found = demo().organizations[index]
  if (found === undefined) throw new Error(`the demo data has no organization ${index}`)
  return found
}

/** One environment of the demo data. */
export const environment = (mode: Mode = 'test', index = 0): Environment =>
  organization(index).environments[mode]

/** A market anyone may put in scope. */
export const publicMarket = (mode: Mode = 'test', index = 0): DemoMarket =>
  first(environment(mode, index).markets, 'public market', (market) => !market.private)

/** A market of a customer group. */
export const privateMarket = (mode: Mode = 'test', index = 0): DemoMarket =>
  first(environment(mode, index).markets, 'private market', (market) => market.private)
