/**
 * The demo data: made at the first start, recognised at the next ones, finished when a start was interrupted. The shops come
 * first, so that they can be used; their orders follow while they are.
 */
import type { DemoCatalogue, DemoOptions } from '@merx/core/demo/load-demo'
import { createPool } from '@merx/postgres/pool'
import { demoFileIn, isDemoPending, markDemoDone, markDemoPending, readDemoFile } from './demo-file.ts'
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
  /** Loads the orders that are missing, if any. Write demo.json before: this ends the making of the demo. */
  readonly loadOrders: () => Promise<void>
}

export const ensureDemo = async (settings: Settings, system: System, progress: Progress): Promise<Demo> => {
  const { dataFolder, merxDemo, merxDemoOrders: orders } = settings
  const known = await knownDemo(dataFolder, system)
  const isThere = known.length > 0 && !isDemoPending(dataFolder)
  if (isThere || !merxDemo) return { organizations: known, isNew: false, loadOrders: async () => undefined }
  return makeDemo({ orders, dataFolder }, system, progress)
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
): Promise<Demo> => {
  const { services } = system
  progress.step('creating the organizations of the demo')
  const known = await knownDemo(dataFolder, system)
  if (known.length === 0) await requireNotLost(dataFolder, services)
  markDemoPending(dataFolder)
  const users = ensureDemoUsers(dataFolder, DEMO_SLUGS)
  const identities = await provisionDemo(services.provisioning, users, known)
  // Only the first start needs it.
  const { openDemoShops, loadDemoOrders } = await import('@merx/core/demo/load-demo')
  const options = {
    ids: services.coreIds,
    organizations: identities.map(({ id, slug, name }) => ({ id, slug, name })),
    sizes: { orders },
    now: new Date(),
  }
  const catalogue = await withPool(system, (pool) =>
    openDemoShops({ ...options, pool, onProgress: progress.step }),
  )
  return {
    organizations: identities.map((identity) => describeOrganization(identity, catalogue)),
    isNew: known.length === 0,
    loadOrders: async () => {
      const onProgress = (line: string): void => {
        services.reportDemo(line)
        progress.step(line)
      }
      await withPool(system, (pool) => loadDemoOrders({ ...options, pool, onProgress }))
      markDemoDone(dataFolder)
    },
  }
}

const withPool = async <T>(
  { services, log }: System,
  act: (pool: DemoOptions['pool']) => Promise<T>,
): Promise<T> => {
  const pool = createPool({
    url: services.coreDatabaseUrl,
    maxConnections: CONNECTIONS_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'demo',
    log,
  })
  try {
    return await act(pool)
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
