/** The demo data: made at the first start, recognised at the next ones, finished when a start was interrupted. */
import type { DemoCatalogue } from '@merx/core/demo/load-demo'
import { createPool } from '@merx/postgres/pool'
import { readDemoFile } from './demo-file.ts'
import type { DemoMode, DemoOrganization } from './demo-file.ts'
import { DEMO_SLUGS, provisionDemo } from './demo-organizations.ts'
import type { DemoIdentity } from './demo-organizations.ts'
import { ensureDemoUsers } from './demo-users.ts'
import type { Progress } from './progress.ts'
import type { Settings } from './settings.ts'
import type { System } from './system.ts'

const CONNECTIONS_MAX = 4
/** Loading copies whole tables; no single statement of it takes this long. */
const STATEMENT_TIMEOUT_MS = 600_000

/** @returns the organizations of demo.json; none when MERX_DEMO is false. */
export const ensureDemo = async (
  settings: Settings,
  system: System,
  progress: Progress,
): Promise<readonly DemoOrganization[]> => {
  const known = await knownDemo(settings.dataFolder, system)
  if (known.length > 0) return known
  if (!settings.merxDemo) return []
  return makeDemo({ orders: settings.merxDemoOrders, dataFolder: settings.dataFolder }, system, progress)
}

/** What demo.json tells, unless it has outlived its databases or these are others now. */
const knownDemo = async (dataFolder: string, { services }: System): Promise<readonly DemoOrganization[]> => {
  const organizations = readDemoFile(dataFolder)?.organizations ?? []
  const found = await Promise.all(
    organizations.map(({ slug }) => services.provisioning.findOrganization(slug)),
  )
  return organizations.every(({ id }, index) => found[index]?.id === id) ? organizations : []
}

/**
 * Provisioning and loading take up what is there, whether an interrupted run left it or the demo is to grow. Credentials
 * are kept as long as demo.json still tells their secrets.
 */
export const makeDemo = async (
  { orders, dataFolder }: { readonly orders: number; readonly dataFolder: string },
  system: System,
  progress: Progress,
): Promise<readonly DemoOrganization[]> => {
  const { services, log } = system
  progress.step('creating the organizations of the demo')
  const known = await knownDemo(dataFolder, system)
  const users = ensureDemoUsers(dataFolder, DEMO_SLUGS)
  const identities = await provisionDemo(services.provisioning, users, known)
  progress.step(`loading the demo data (${orders.toLocaleString('en')} orders)`)
  const pool = createPool({
    url: services.coreDatabaseUrl,
    maxConnections: CONNECTIONS_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'demo',
    log,
  })
  try {
    // Only the first start needs it.
    const { loadDemo } = await import('@merx/core/demo/load-demo')
    const catalogue = await loadDemo({
      pool,
      ids: services.coreIds,
      organizations: identities.map(({ id, slug, name }) => ({ id, slug, name })),
      sizes: { orders },
      onProgress: progress.step,
    })
    return identities.map((identity) => describeOrganization(identity, catalogue))
  } finally {
    await pool.end()
  }
}

const describeOrganization = (
  { id, slug, credentials }: DemoIdentity,
  catalogue: DemoCatalogue,
): DemoOrganization => {
  const describe = (mode: DemoMode) => {
    const made = catalogue[id]?.[mode]
    if (made === undefined) throw new Error(`the demo loader made no ${mode} environment of ${slug}`)
    return { credentials: credentials[mode], ...made }
  }
  return { slug, id, environments: { test: describe('test'), live: describe('live') } }
}
