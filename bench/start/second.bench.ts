import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench } from '@merx/load/bench'
import { findFreePort } from '@merx/local-postgres/free-port'
import { launchSystem } from '../../e2e/support/launch-system.ts'

const SECOND_START_MS_MAX = 2_000
const ROUNDS = 3
const DEMO_ORDERS = 2_000

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

export const bench: Bench = {
  summary:
    'From the start of the whole system on a data folder that it filled before until every interface answers, after a clean end and after kill -9.',
  run: async ({ defer, say }) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'merx-second-start-'))
    defer(() => rm(dataDir, { recursive: true, force: true }))
    const options = {
      dataDir,
      basePort: await findFreePort(),
      authPort: await findFreePort(),
      env: { MERX_DEMO_ORDERS: String(DEMO_ORDERS) },
      timeoutMs: 180_000,
    }
    let system = await launchSystem(options)
    defer(() => system.stop())
    say(`first start: ${system.readyInMs} ms`)
    const startAgainAfter = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number> => {
      const found: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        await system.stop(signal)
        system = await launchSystem(options)
        found.push(system.readyInMs)
        say(`after ${signal}: ${system.readyInMs} ms`)
      }
      return median(found)
    }
    const clean = await startAgainAfter('SIGTERM')
    const killed = await startAgainAfter('SIGKILL')
    const check = (name: string, ms: number) => ({
      name: `${name}: at most ${SECOND_START_MS_MAX} ms, median of ${ROUNDS}`,
      found: `${ms} ms`,
      isMet: ms <= SECOND_START_MS_MAX,
    })
    return { checks: [check('after a clean end', clean), check('after kill -9', killed)] }
  },
}
