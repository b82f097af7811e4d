import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '@merx/load/bench'
import { findFreePort } from '@merx/local-postgres/free-port'
import { memoryOfTree, processorTime } from '../processor-time.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SHARE_MAX = 0.01
const MEGABYTES_MAX = 600
const MEGABYTE = 1_000_000
const ROUNDS = 3
const ROUND_MS = 20_000
/** What a start leaves to do: PostgreSQL's vacuum, merges in metrics. */
const SETTLE_MS = 75_000
const READY_MS_MAX = 300_000

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

/** As a user types it, with the options that the command gives to Node. */
const startSystem = async (dataDir: string, env: NodeJS.ProcessEnv) => {
  const file = path.join(dataDir, 'start.log')
  await using log = await open(file, 'w')
  const child = spawn(process.execPath, ['infra/embedded/bootstrap.mjs', 'start'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', log.fd, log.fd],
  })
  const deadline = performance.now() + READY_MS_MAX
  while (!/ s {2}ready$/m.test(await readFile(file, 'utf8'))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGTERM')
      throw new Error(`it did not start: ${(await readFile(file, 'utf8')).slice(-2_000)}`)
    }
    await wait(100)
  }
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const shareOf = async (pid: number): Promise<number> => {
  const [from, before] = [performance.now(), processorTime(pid)]
  await wait(ROUND_MS)
  return (processorTime(pid) - before) / (performance.now() - from)
}

export const bench: Bench = {
  summary:
    'What the whole system with the demo takes while nobody uses it: processor and memory of all its processes.',
  run: async ({ defer, say }) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'merx-idle-'))
    defer(() => rm(dataDir, { recursive: true, force: true }))
    const env = {
      ...process.env,
      MERX_DATA_DIR: dataDir,
      MERX_BASE_PORT: String(await findFreePort()),
      MERX_AUTH_PORT: String(await findFreePort()),
    }
    const filling = await startSystem(dataDir, env)
    defer(filling.stop)
    await filling.stop()
    const { pid, stop } = await startSystem(dataDir, env)
    defer(stop)
    await wait(SETTLE_MS)
    const shares: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      shares.push(await shareOf(pid))
      say(`${((shares.at(-1) ?? NaN) * 100).toFixed(2)} % of a core`)
    }
    const [share, megabytes] = [median(shares), memoryOfTree(pid) / MEGABYTE]
    return {
      checks: [
        {
          name: `processor, median of ${ROUNDS} times ${ROUND_MS / 1_000} s: at most ${SHARE_MAX * 100} % of a core`,
          found: `${(share * 100).toFixed(2)} %`,
          isMet: share <= SHARE_MAX,
        },
        {
          name: `memory: at most ${MEGABYTES_MAX} MB`,
          found: `${megabytes.toFixed(0)} MB`,
          isMet: megabytes <= MEGABYTES_MAX,
        },
      ],
    }
  },
}
