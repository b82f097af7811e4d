/** An upgrade of the one-command system: the next start, on the same data folder, is of this release. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@merx/local-postgres/free-port'
import { compareRows, copyRows } from '@merx/testing/row-copies'
import { accessToken, connect } from '../support/connect.ts'
import { launchSystem, type RunningSystem } from '../support/launch-system.ts'
import { sell } from '../support/sell.ts'
import { send } from '../support/send.ts'
import { administratorToken } from '../support/sign-in.ts'
import type { ResourceDocument } from '../support/wire.ts'
import { compareAnswers, listTypes, readAnswers, type Answers } from './answers.ts'
import { withoutExpected } from './expected.ts'
import { findSku } from './find-sku.ts'
import { judgeTokens, takeTokens, type OldTokens } from './tokens.ts'

const START_MS_MAX = 900_000
const POLL_MS = 50
const DATABASES = ['merx_auth', 'merx_core'] as const
type Database = (typeof DATABASES)[number]

export interface InPlaceOptions {
  readonly folder: string
  /** Of the release before. */
  readonly oldRoot: string
  readonly orders: number
  readonly say: (line: string) => void
}

export interface InPlaceResult {
  readonly firstStartMs: number
  /** From the start of this release to the first good answer. */
  readonly answersAfterMs: Readonly<Record<string, number>>
  readonly readyAfterMs: number
  /** The start after it, for comparison. */
  readonly nextStartMs: number
  /** Sentences; none when all is as it was. */
  readonly wrong: readonly string[]
}

const databaseUrl = (dataDir: string, database: Database): string => {
  const file = JSON.parse(readFileSync(join(dataDir, 'connection.json'), 'utf8')) as {
    readonly environment: Readonly<Record<string, string>>
  }
  const url = new URL(file.environment['AUTH_DATABASE_URL'] ?? '')
  url.pathname = `/${database}`
  return url.href
}

/** What the release before leaves. */
interface Before {
  readonly types: readonly string[]
  readonly answers: Answers
  readonly tokens: OldTokens
}

const INTERFACES = {
  auth: { base: 'auth_url', path: '/.well-known/jwks.json', method: 'GET', status: 200 },
  core: { base: 'base_url', path: '/api/skus', method: 'GET', status: 401 },
  metrics: { base: 'base_url', path: '/metrics/orders/stats', method: 'POST', status: 401 },
  console: { base: 'base_url', path: '/', method: 'GET', status: 303 },
} as const

interface Ports {
  readonly basePort: number
  readonly authPort: number
}

/** Milliseconds to the first good answer of each interface. */
const watchAnswers = ({
  basePort,
  authPort,
}: Ports): { readonly found: ReadonlyMap<string, number>; readonly stop: () => Promise<void> } => {
  const startedAt = performance.now()
  const found = new Map<string, number>()
  let isWatching = true
  const watching = (async () => {
    while (isWatching) {
      for (const [name, { base, path, method, status }] of Object.entries(INTERFACES)) {
        if (found.has(name)) continue
        const url = `http://127.0.0.1:${base === 'auth_url' ? authPort : basePort}${path}`
        const reply = await send({ method, url, from: '127.0.0.1', timeoutMs: 1_000 }).catch(() => undefined)
        if (reply?.status === status) found.set(name, Math.round(performance.now() - startedAt))
      }
      await wait(POLL_MS)
    }
  })()
  return {
    found,
    stop: async () => {
      isWatching = false
      await watching
    },
  }
}

const readBefore = async (dataDir: string): Promise<Before> => {
  const types = await listTypes()
  const before = { types, answers: await readAnswers(types), tokens: await takeTokens() }
  for (const name of DATABASES) await copyRows(databaseUrl(dataDir, name))
  return before
}

const compareAll = async (dataDir: string, before: Before): Promise<readonly string[]> => {
  const wrong: string[] = []
  // Before anything is asked of the new release.
  for (const name of DATABASES)
    for (const sentence of await compareRows(databaseUrl(dataDir, name))) wrong.push(`${name}: ${sentence}`)
  wrong.push(...compareAnswers(before.answers, await readAnswers(before.types)))
  wrong.push(...(await judgeTokens(before.tokens)))
  return wrong
}

/** What the release before could not do, with its data. */
const useWhatIsNew = async (): Promise<readonly string[]> => {
  const wrong: string[] = []
  const attempt = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    await act().catch((error: unknown) => wrong.push(`${what}: ${String(error)}`))
  }
  await attempt('a purchase', async () => {
    const buyer = { email: 'ada@example.com', skuCode: await findSku('test'), quantity: 1 }
    const steps = ['lines', 'address', 'place', 'approve', 'capture', 'pack', 'ship', 'deliver'] as const
    const id = await sell(buyer, steps)
    const token = await accessToken('integration')
    const reply = await connect().core(`orders/${id}`, { token })
    const { status, payment_status: payment } = reply.json<ResourceDocument>().data.attributes
    if (status !== 'approved' || payment !== 'paid')
      throw new Error(`the order is ${String(status)} and ${String(payment)}`)
  })
  await attempt('a sign-in as owner', async () => administratorToken())
  return wrong
}

const started = async (
  options: InPlaceOptions,
  dataDir: string,
  ports: Ports,
  root?: string,
): Promise<RunningSystem> =>
  launchSystem({
    dataDir,
    ...ports,
    env: { MERX_DEMO_ORDERS: String(options.orders), RATE_LIMIT_SCALE: '100000', TRUST_PROXY: '0' },
    timeoutMs: START_MS_MAX,
    ...(root === undefined ? {} : { root }),
  })

/** Its data folder stays in the folder. */
export const upgradeInPlace = async (options: InPlaceOptions): Promise<InPlaceResult> => {
  const { folder, oldRoot, orders, say } = options
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  process.env['MERX_DATA_DIR'] = dataDir
  const ports = { basePort: await findFreePort(), authPort: await findFreePort() }

  say(`the release before starts, with ${orders} orders`)
  const old = await started(options, dataDir, ports, oldRoot)
  say(`it was ready after ${old.readyInMs} ms; what it answers is taken down`)
  const before = await readBefore(dataDir).finally(() => old.stop('SIGINT'))

  say('this release starts on its data')
  const watch = watchAnswers(ports)
  const system = await started(options, dataDir, ports)
  await watch.stop()
  say(`it was ready after ${system.readyInMs} ms: ${JSON.stringify(Object.fromEntries(watch.found))}`)
  try {
    const wrong = withoutExpected([...(await compareAll(dataDir, before)), ...(await useWhatIsNew())])
    return {
      firstStartMs: old.readyInMs,
      answersAfterMs: Object.fromEntries(watch.found),
      readyAfterMs: system.readyInMs,
      nextStartMs: await startAgain(options, dataDir, ports, system),
      wrong,
    }
  } finally {
    await system.stop('SIGINT')
  }
}

const startAgain = async (
  options: InPlaceOptions,
  dataDir: string,
  ports: Ports,
  running: RunningSystem,
): Promise<number> => {
  await running.stop('SIGINT')
  const again = await started(options, dataDir, ports)
  await again.stop('SIGINT')
  return again.readyInMs
}
