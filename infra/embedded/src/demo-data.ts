/** The demo data: made at the first start, recognised at the next ones, finished when a start was interrupted. */
import type { DemoCatalogue } from '@merx/core/demo/load-demo'
import { createPool } from '@merx/postgres/pool'
import { demoFileIn, isDemoPending, markDemoPending, readDemoFile } from './demo-file.ts'
import type { DemoMode, DemoOrganization } from './demo-file.ts'
import { DEMO_SLUGS, provisionDemo } from './demo-organizations.ts'
import type { DemoIdentity } from './demo-organizations.ts'
import { ensureDemoUsers } from './demo-users.ts'
import { OperatorError } from './operator-error.ts'
import type { Progress } from './progress.ts'
import type { Settings } from './settings.ts'
import type { System } from './system.ts'

const CONNECTIONS_MAX = 4
/** Loading copies whole tables; no single statement of it takes this long. */
const STATEMENT_TIMEOUT_MS = 600_000

export interface Demo {
  /** Those of demo.json; none when MERX_DEMO is false. */
  readonly organizations: readonly DemoOrganization[]
  /** Whether this start made them. */
  readonly isNew: boolean
}

export const ensureDemo = async (settings: Settings, system: System, progress: Progress): Promise<Demo> => {
  const { dataFolder, merxDemo, merxDemoOrders: orders } = settings
  const known = await knownDemo(dataFolder, system)
  if (known.length > 0 || !merxDemo) return { organizations: known, isNew: false }
  return { organizations: await makeDemo({ orders, dataFolder }, system, progress), isNew: true }
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
 * Without demo.json nobody knows the secrets of the demo that is there, and a second one would double its orders.
 * @throws OperatorError
 */
const requireNotLost = async (dataFolder: string, { provisioning }: System['services']): Promise<void> => {
  if (isDemoPending(dataFolder)) return // an interrupted start is finished
  const found = await Promise.all(DEMO_SLUGS.map((slug) => provisioning.findOrganization(slug)))
  if (found.every((organization) => organization === undefined)) return
  throw new OperatorError(
    `the demo was made before, and ${demoFileIn(dataFolder)} is lost, damaged or of other databases.`,
    'Put the file back from a copy; or set MERX_DEMO=false to start without it; or start with no data: npm run reset',
  )
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
  if (known.length === 0) await requireNotLost(dataFolder, services)
  markDemoPending(dataFolder)
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
