/** What the embedded engine does with memory that a query gave back (docs/adr/0061-the-engine-keeps-memory-for-a-minute.md). */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const engineModule = new URL('../../src/engine/clickhouse-engine.ts', import.meta.url).href

/**
 * A query that holds 32 MB, first many at once, so that each thread that may run a later one has its arena of the allocator,
 * then with seconds between; prints the page faults of these.
 */
const script = `
  const { setTimeout: sleep } = await import('node:timers/promises')
  const { openEngine } = await import(${JSON.stringify(engineModule)})
  const engine = openEngine({ path: process.argv[1] })
  const budget = { timeoutMs: 60_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10, threadsMax: 1 }
  const text = 'SELECT quantileExact(number) AS half FROM numbers(4000000)'
  const ask = () => engine.run({ text, params: {} }, budget)
  for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 16 }, ask))
  const faults = []
  for (let query = 0; query < 4; query += 1) {
    await sleep(3_000)
    const before = process.resourceUsage().minorPageFault
    await ask()
    faults.push(process.resourceUsage().minorPageFault - before)
  }
  await engine.close()
  console.log(JSON.stringify(faults))`

/** The most that one of the queries with seconds between took. */
const faultsOf = async (folder: string, env: NodeJS.ProcessEnv): Promise<number> => {
  const args = ['--no-warnings', '--input-type=module', '-e', script, folder]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  return Math.max(...(JSON.parse(stdout) as number[]))
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'merx-engine-memory-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** The queries wait 12 seconds between them; a busy machine takes several times as long for the rest. */
const TEST_MS = 120_000

/** Pages of 4 KB in 32 MB. */
const PAGES = 8_192

it(
  'a query uses the memory of one seconds before it, and asks the system for few pages',
  async () => {
    expect(await faultsOf(folder, { JE_MALLOC_CONF: undefined })).toBeLessThan(PAGES / 2)
  },
  TEST_MS,
)

it(
  'what the operator says about it wins',
  async () => {
    expect(await faultsOf(folder, { JE_MALLOC_CONF: 'dirty_decay_ms:0,muzzy_decay_ms:0' })).toBeGreaterThan(
      PAGES,
    )
  },
  TEST_MS,
)
