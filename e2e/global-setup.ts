/**
 * Starts the whole system once for all end-to-end tests: own data folder, own ports, demo data of the usual shape but
 * fewer orders. MERX_E2E_REUSE=<data folder> uses a system that already runs instead (while writing tests).
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@merx/local-postgres/free-port'
import { launchSystem, type RunningSystem } from './support/launch-system.ts'

/** Where the set-up leaves the system for the teardown; both run in Jest's parent process. */
export interface EndToEndGlobals {
  merxSystem?: RunningSystem
}

/** Demo size of the tests: small enough to load in seconds, large enough for every month and market to have orders. */
export const TEST_ORDERS = 3_000

const globalSetup = async (): Promise<void> => {
  const reused = process.env['MERX_E2E_REUSE']
  if (reused !== undefined) {
    process.env['MERX_DATA_DIR'] = reused
    return
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'merx-e2e-'))
  const system = await launchSystem({
    dataDir,
    basePort: await findFreePort(),
    authPort: await findFreePort(),
    env: { MERX_DEMO_ORDERS: String(TEST_ORDERS) },
    timeoutMs: 240_000,
  })
  process.env['MERX_DATA_DIR'] = dataDir
  const globals = globalThis as EndToEndGlobals
  globals.merxSystem = system
  process.stderr.write(`the system was ready in ${system.readyInMs} ms (pid ${system.pid}, ${dataDir})\n`)
}

// eslint-disable-next-line import-x/no-default-export -- Jest calls the default export
export default globalSetup
