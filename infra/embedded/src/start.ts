/** `npm start`: the whole system on this machine until Ctrl-C, with demo data at the first start. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { openConsole } from './console.ts'
import { ensureDemo } from './demo-data.ts'
import { demoFileIn, writeDemoFile } from './demo-file.ts'
import { readDemoUsers } from './demo-users.ts'
import { createGateway } from './gateway.ts'
import { OperatorError } from './operator-error.ts'
import { createProgress } from './progress.ts'
import type { Progress } from './progress.ts'
import { assertPortsFree, openPublicAddress } from './public-addresses.ts'
import { rawErrors } from './raw-errors.ts'
import { renderFailure } from './render-failure.ts'
import { loadSettings } from './settings.ts'
import type { Settings } from './settings.ts'
import { waitForStopSignal } from './stop-signal.ts'
import { renderSummary } from './summary.ts'
import { openSystem } from './system.ts'
import type { System } from './system.ts'

/** The last line of a start; e2e/support/launch-system.ts waits for either. */
const READY = 'ready'
const METRICS_CANNOT_BE_FILLED =
  'metrics cannot be filled yet and answers 503; the log says why; auth and core are not affected'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

const main = async (): Promise<void> => {
  const stopSignal = waitForStopSignal()
  const settings = loadSettings(process.env, ROOT)
  const progress = createProgress()
  progress.step(`starting on ${settings.dataFolder}`)
  const system = await openSystem(settings, process.env, progress, () => assertPortsFree(settings))
  try {
    // Stopped while the demo data is loading: the next start takes up what is left of it.
    await Promise.race([stopSignal, failWhenLost(system), serve(settings, system, progress)])
    await Promise.race([stopSignal, failWhenLost(system)])
    progress.step('stopping')
  } finally {
    await system.close()
  }
  progress.step('stopped')
}

const failWhenLost = async ({ lost }: System): Promise<never> => {
  throw new OperatorError(await lost, 'Start again: nothing that was acknowledged is lost.')
}

/** Settles when everything is there. Auth and core answer as soon as they can; metrics is 503 until it holds every order. */
const serve = async (settings: Settings, system: System, progress: Progress): Promise<void> => {
  const { organizations, isNew, loadOrders } = await ensureDemo(settings, system, progress)
  // Closed after the addresses, whose last requests may be the console's.
  const closers = system.closers.use(new AsyncDisposableStack())
  const addresses = await openAddresses(settings, system)
  await openConsole({ settings, system, closers, addresses, organizations })
  const demo = { ...addresses, domain: settings.merxDomain, organizations }
  // A damaged file stays for its owner to repair.
  if (organizations.length > 0 || !existsSync(demoFileIn(settings.dataFolder)))
    writeDemoFile(settings.dataFolder, demo)
  progress.step('auth and core answer; metrics answers 503 until it holds every order')
  const users = readDemoUsers(settings.dataFolder)
  process.stdout.write(renderSummary({ demo, users, isNew }, settings.dataFolder, ROOT))
  await loadOrders()
  progress.step('bringing metrics up to date')
  progress.step((await system.services.fillMetrics()) ? READY : METRICS_CANNOT_BE_FILLED)
}

const openAddresses = async (settings: Settings, { services, log, closers }: System) => {
  const gateway = createGateway(services, {
    log,
    trustProxy: settings.trustProxy,
    domain: settings.merxDomain,
  })
  const base = await openPublicAddress(gateway.base, settings, 'MERX_BASE_PORT', {
    rawErrors: rawErrors.base,
  })
  closers.defer(() => base.close())
  const auth = await openPublicAddress(gateway.auth, settings, 'MERX_AUTH_PORT', {
    rawErrors: rawErrors.auth,
  })
  closers.defer(() => auth.close())
  closers.defer(() => services.endStreams())
  return { base_url: base.url, auth_url: auth.url }
}

// A terminal that closes, or the full disk of a file in its place, must not end the system.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// Exit at once when all is closed: a library that still holds a timer must not keep the terminal.
main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(renderFailure(error))
    process.exit(1)
  },
)
