/**
 * Starts the whole system once for all end-to-end tests: own data folder, own ports, demo data of the usual shape but
 * fewer orders. MERX_E2E_REUSE=<data folder> uses a system that already runs instead (while writing tests);
 * MERX_E2E_GATEWAY=nginx puts the gateway of production in front of it (infra/check-gateway).
 */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@merx/local-postgres/free-port'
import { readDemo } from './support/demo.ts'
import { launchGateway, type RunningGateway } from './support/launch-gateway.ts'
import { launchSystem, type RunningSystem } from './support/launch-system.ts'

/** Where the set-up leaves the system for the teardown; both run in Jest's parent process. */
export interface EndToEndGlobals {
  merxSystem?: RunningSystem
  merxGateway?: RunningGateway
}

/** Demo size of the tests: small enough to load in seconds, large enough for every month and market to have orders. */
export const TEST_ORDERS = 3_000

/** nginx in front of the system, which believes it; the demo file then names nginx's addresses. */
const putGatewayInFront = async (dataDir: string): Promise<RunningGateway> => {
  const demo = readDemo(dataDir)
  const [base, auth] = [new URL(demo.base_url), new URL(demo.auth_url)]
  const gateway = await launchGateway({
    auth: `127.0.0.1:${auth.port}`,
    core: `127.0.0.1:${base.port}`,
    metrics: `127.0.0.1:${base.port}`,
    console: `127.0.0.1:${base.port}`,
    env: { MERX_DOMAIN: demo.domain },
  })
  const addresses = { base_url: gateway.baseUrl, auth_url: gateway.authUrl }
  await writeFile(join(dataDir, 'demo.json'), JSON.stringify({ ...demo, ...addresses }))
  return gateway
}

const globalSetup = async (): Promise<void> => {
  const reused = process.env['MERX_E2E_REUSE']
  if (reused !== undefined) {
    process.env['MERX_DATA_DIR'] = reused
    return
  }
  const isBehindNginx = process.env['MERX_E2E_GATEWAY'] === 'nginx'
  const dataDir = await mkdtemp(join(tmpdir(), 'merx-e2e-'))
  const system = await launchSystem({
    dataDir,
    basePort: await findFreePort(),
    authPort: await findFreePort(),
    env: { MERX_DEMO_ORDERS: String(TEST_ORDERS), ...(isBehindNginx ? { TRUST_PROXY: '1' } : {}) },
    timeoutMs: 240_000,
  })
  process.env['MERX_DATA_DIR'] = dataDir
  const globals = globalThis as EndToEndGlobals
  globals.merxSystem = system
  if (isBehindNginx) globals.merxGateway = await putGatewayInFront(dataDir)
  process.stderr.write(`the system was ready in ${system.readyInMs} ms (pid ${system.pid}, ${dataDir})\n`)
}

// eslint-disable-next-line import-x/no-default-export -- Jest calls the default export
export default globalSetup
