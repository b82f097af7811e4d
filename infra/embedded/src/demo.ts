/** `npm run demo -- --orders N`: loads a bigger demo, takes it into metrics, and ends. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeDemo } from './demo-data.ts'
import { demoFileIn, writeDemoFile } from './demo-file.ts'
import { OperatorError } from './operator-error.ts'
import { createProgress } from './progress.ts'
import { renderFailure } from './render-failure.ts'
import { DEMO_ORDERS_MAX, loadSettings } from './settings.ts'
import { openSystem } from './system.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')
const USAGE = `Usage: npm run demo -- --orders <1 to ${DEMO_ORDERS_MAX}>`

/** @throws OperatorError with the usage. */
const parseOrders = (args: readonly string[]): number => {
  const text = readOption(args)
  const orders = Number(text)
  if (/^\d{1,9}$/.test(text) && orders >= 1 && orders <= DEMO_ORDERS_MAX) return orders
  throw new OperatorError(`"--orders ${text}" is not a number of orders.`, USAGE)
}

const readOption = (args: readonly string[]): string => {
  try {
    const { values } = parseArgs({ args: [...args], options: { orders: { type: 'string' } }, strict: true })
    if (values.orders !== undefined) return values.orders
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error), USAGE, { cause: error })
  }
  throw new OperatorError('the number of orders is missing.', USAGE)
}

const main = async (): Promise<void> => {
  const orders = parseOrders(process.argv.slice(2))
  const settings = loadSettings(process.env, ROOT)
  const progress = createProgress()
  const system = await openSystem(settings, process.env, progress)
  try {
    const { dataFolder, merxDomain: domain } = settings
    const { organizations, loadOrders } = await makeDemo({ orders, dataFolder }, system, progress)
    const base_url = `http://localhost:${settings.merxBasePort}`
    const auth_url = `http://localhost:${settings.merxAuthPort}`
    writeDemoFile(dataFolder, { base_url, auth_url, domain, organizations })
    await loadOrders()
    progress.step('bringing metrics up to date')
    if (!(await system.services.fillMetrics()))
      progress.step('metrics cannot be filled yet; the log says why; the next start goes on')
  } finally {
    await system.close()
  }
  progress.step(`done; credentials are in ${demoFileIn(settings.dataFolder)}; run: npm start`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(renderFailure(error))
    process.exit(1)
  },
)
