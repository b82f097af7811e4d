/** What the embedded engine does with memory that a query gave back (docs/adr/0061-the-engine-keeps-memory-for-a-minute.md). */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const engineModule = new URL('../../src/engine/clickhouse-engine.ts', import.meta.url).href

/**
 * A query that holds 32 MB at once, first on the arenas of the allocator, then five times with seconds between; prints the
 * page faults of these. One of them may run on an arena that no query used before it.
 */
const script = `
  const { setTimeout: sleep } = await import('node:timers/promises')
  const { openEngine } = await import(${JSON.stringify(engineModule)})
  const engine = openEngine({ path: process.argv[1] })
  const budget = { timeoutMs: 60_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10, threadsMax: 1 }
  const text = 'SELECT quantileExact(number) AS half FROM numbers(4000000)'
  const faults = []
  for (const pauseMs of [...Array(24).fill(0), 3_000, 3_000, 3_000, 3_000, 3_000]) {
    await sleep(pauseMs)
    const before = process.resourceUsage().minorPageFault
    await engine.run({ text, params: {} }, budget)
    if (pauseMs > 0) faults.push(process.resourceUsage().minorPageFault - before)
  }
  await engine.close()
  console.log(JSON.stringify(faults))`

/** The median of the page faults of the queries with seconds between. */
const faultsOf = async (folder: string, env: NodeJS.ProcessEnv): Promise<number> => {
  const args = ['--no-warnings', '--input-type=module', '-e', script, folder]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  const faults = (JSON.parse(stdout) as number[]).toSorted((one, other) => one - other)
  return faults[Math.floor(faults.length / 2)] ?? Number.NaN
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'merx-engine-memory-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** The queries wait 15 seconds between them; a busy machine takes several times as long for the rest. */
const TEST_MS = 120_000

/** Pages of 4 KB in 32 MB. */
const PAGES = 8_192

it(
  'most queries use the memory of one seconds before them, and ask the system for few pages',
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
