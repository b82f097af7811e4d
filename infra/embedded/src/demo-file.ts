/** `demo.json` of the data folder: where the system answers, and one credential of each kind to ask it with. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type DemoMode = 'test' | 'live'
export const DEMO_MODES = ['test', 'live'] as const satisfies readonly DemoMode[]

export interface DemoCredential {
  readonly client_id: string
  readonly client_secret: string
}

export interface DemoCredentials {
  readonly sales_channel: DemoCredential
  readonly integration: DemoCredential
  readonly integration_read_only: DemoCredential
  readonly integration_custom: DemoCredential
  readonly webapp: DemoCredential & { readonly redirect_uri: string }
}

/** What core's demo loader made in one environment. */
export interface DemoCatalogueEntry {
  readonly markets: readonly { readonly id: string; readonly code: string; readonly private: boolean }[]
  readonly stores: readonly { readonly id: string; readonly code: string; readonly market_id: string }[]
  readonly stock_locations: readonly {
    readonly id: string
    readonly code: string
    readonly market_ids: readonly string[]
  }[]
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
  readonly environments: Readonly<
    Record<DemoMode, { readonly credentials: DemoCredentials } & DemoCatalogueEntry>
  >
}

export interface DemoFile {
  readonly base_url: string
  readonly auth_url: string
  readonly domain: string
  readonly organizations: readonly DemoOrganization[]
}

export const demoFileIn = (dataFolder: string): string => path.join(dataFolder, 'demo.json')

/** @returns undefined when the file is absent or is not what writeDemoFile wrote. */
export const readDemoFile = (dataFolder: string): DemoFile | undefined => {
  try {
    const value = JSON.parse(readFileSync(demoFileIn(dataFolder), 'utf8')) as Partial<DemoFile> | null
    return Array.isArray(value?.organizations) && value.organizations.length > 0
      ? (value as DemoFile)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Is there until the demo has all its orders, so that a start after an interrupted one goes on, and knows that nothing was lost. */
const pendingFileIn = (dataFolder: string): string => path.join(dataFolder, 'demo-pending')

export const isDemoPending = (dataFolder: string): boolean => existsSync(pendingFileIn(dataFolder))

export const markDemoPending = (dataFolder: string): void => writeFileSync(pendingFileIn(dataFolder), '')

export const markDemoDone = (dataFolder: string): void => rmSync(pendingFileIn(dataFolder), { force: true })

/** Mode 0600, because it holds secrets; replaced in one step, because scripts wait for it. */
export const writeDemoFile = (dataFolder: string, file: DemoFile): void => {
  const next = `${demoFileIn(dataFolder)}.new`
  writeFileSync(next, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, demoFileIn(dataFolder))
}
