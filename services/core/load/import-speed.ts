/**
 * How fast imports are: 20,000 SKUs, then a price and a stock item for each, in imports of 10,000, through the steps the
 * two workers of a process run, on the database of CORE_DATABASE_URL (created when missing). Five shops one after the
 * other, each an environment of its own; the first finds V8 cold, the median is of the others. Prints seconds and how
 * many of them this process computed.
 *
 *   CORE_DATABASE_URL=postgresql://localhost/merx_load node services/core/load/import-speed.ts
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { spreadOf } from '@merx/load/spread'
import { systemClock } from '@merx/telemetry/clock'
import { createLogger } from '@merx/telemetry/logger'
import { areas, jobs } from '../src/areas.ts'
import { runImport } from '../src/bulk/imports/import-step.ts'
import { openDatabase } from '../src/engine/database/database.ts'
import { runIn } from '../src/engine/database/run-statement.ts'
import { createRegistry } from '../src/engine/registry.ts'
import { createJobQueue } from '../src/jobs/job-queue.ts'
import type { RowPayload } from '../src/jobs/row-job.ts'
import { migrateCore } from '../src/migrate.ts'

const ROWS_OF_IMPORT = 10_000
const IMPORTS = 2
const SHOPS = 5
/** As many as a process has by default. */
const WORKERS = 2
const POLL_MS = 20

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const url = process.env['CORE_DATABASE_URL']
if (url === undefined) throw new Error('CORE_DATABASE_URL is missing')
const log = createLogger({ service: 'load', level: 'error' })
await migrateCore({ coreDatabaseUrl: url }, log)
const database = openDatabase({ url, maxConnections: 4, log })
const ids = createPublicIds({ secret: 'a secret for measurements, 32 characters' })
const registry = createRegistry(areas, { ids })
const queue = createJobQueue({ jobs, database, registry, clock: systemClock, log, workers: WORKERS })

const text = `WITH e AS (INSERT INTO environments (organization_id, mode, slug, name)
    VALUES ($1, 'test', 'load', 'Load') RETURNING id),
  c AS (INSERT INTO shipping_categories (environment_id, name) SELECT id, 'Any' FROM e RETURNING id),
  a AS (INSERT INTO addresses (environment_id, line_1, city, country_code, phone)
    SELECT id, 'Street 1', 'Town', 'IT', '1' FROM e RETURNING id, environment_id),
  l AS (INSERT INTO price_lists (environment_id, name, currency_code) SELECT id, 'Any', 'EUR' FROM e RETURNING id)
  SELECT e.id AS environment, c.id AS category, a.id AS address, l.id AS list FROM e, c, a, l`
interface Shop {
  readonly environment: number
  readonly category: number
  readonly list: number
  readonly location: number
}

const openShop = async (): Promise<Shop> => {
  const [shop] = await database.query<Record<'environment' | 'category' | 'address' | 'list', number>>(text, [
    randomUUID(),
  ])
  if (shop === undefined) throw new Error('no shop was made')
  const [place] = await database.query<{ id: number }>(
    `INSERT INTO stock_locations (environment_id, name, address_id) VALUES ($1, 'Any', $2) RETURNING id`,
    [shop.environment, shop.address],
  )
  if (place === undefined) throw new Error('no stock location was made')
  return { ...shop, location: place.id }
}

type Row = (at: number) => Readonly<Record<string, unknown>>

const inputsOf = (shop: Shop): Readonly<Record<string, Row>> => ({
  skus: (at) => ({
    code: `SKU-${at}`,
    name: `Article ${at}`,
    description: 'Something to buy',
    weight: 12.5,
    unit_of_weight: 'gr',
    shipping_category_id: ids.encode('shipping_categories', shop.category),
  }),
  prices: (at) => ({
    sku_code: `SKU-${at}`,
    price_list_id: ids.encode('price_lists', shop.list),
    amount_cents: 100 + at,
  }),
  stock_items: (at) => ({
    sku_code: `SKU-${at}`,
    stock_location_id: ids.encode('stock_locations', shop.location),
    quantity: at,
  }),
})

/** As POST /api/imports stores it, without its job. */
const addImport = async (
  { environment }: Shop,
  type: string,
  from: number,
  row: Row,
): Promise<RowPayload> => {
  const items = JSON.stringify(Array.from({ length: ROWS_OF_IMPORT }, (_, at) => row(from + at)))
  const scope = { environmentId: environment, organizationId: 'load', mode: 'test' }
  const values = [environment, type, items, ROWS_OF_IMPORT, `${environment}/${type}/${from}`]
  const [added] = await database.query<{ id: number }>(
    `INSERT INTO imports (environment_id, resource_type, inputs, inputs_size, file_key, requested_by)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [...values, JSON.stringify({ scope, who: {} })],
  )
  if (added === undefined) throw new Error('no import was added')
  return { environmentId: environment, id: added.id }
}

const start = async (payloads: readonly RowPayload[]): Promise<void> => {
  await database.transaction(async (transaction) => {
    for (const payload of payloads) await queue.enqueue(runImport, payload, runIn(transaction))
  })
  queue.start()
  queue.wake()
}

const areAllDone = async ({ environment }: Shop): Promise<boolean> => {
  const unfinished = await database.query(
    `SELECT id FROM imports WHERE environment_id = $1 AND status IN ('pending', 'in_progress')`,
    [environment],
  )
  return unfinished.length === 0
}

const work = async (shop: Shop, types: readonly string[]): Promise<number> => {
  const inputs = inputsOf(shop)
  const added: RowPayload[] = []
  for (const type of types) {
    for (let part = 0; part < IMPORTS; part += 1)
      added.push(await addImport(shop, type, part * ROWS_OF_IMPORT, inputs[type] ?? (() => ({}))))
  }
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  await start(added)
  while (!(await areAllDone(shop))) await wait(POLL_MS)
  const seconds = (performance.now() - started) / 1000
  const used = process.cpuUsage(cpu)
  const computed = (used.user + used.system) / 1e6
  const rows = types.length * IMPORTS * ROWS_OF_IMPORT
  say(
    `${types.join(' and ')}: ${rows} rows in ${seconds.toFixed(2)} s, of which ${computed.toFixed(2)} s computed here`,
  )
  return seconds
}

const perSecond = async (): Promise<number> => {
  const shop = await openShop()
  const seconds = (await work(shop, ['skus'])) + (await work(shop, ['prices', 'stock_items']))
  const [row] = await database.query<{ processed: number; errors: number }>(
    `SELECT sum(processed_count)::int AS processed, sum(errors_count)::int AS errors
     FROM imports WHERE environment_id = $1`,
    [shop.environment],
  )
  const rate = Math.round((IMPORTS * ROWS_OF_IMPORT) / seconds)
  say(
    `${rate} SKUs with a price and stock a second; ${row?.processed ?? 0} rows stored, ${row?.errors ?? 0} refused`,
  )
  return rate
}

const rates: number[] = []
for (let at = 0; at < SHOPS; at += 1) rates.push(await perSecond())
const warm = spreadOf(rates.slice(1))
say(`median of the last ${SHOPS - 1}: ${warm.median} SKUs a second (${warm.min} to ${warm.max})`)
await queue.close()
await database.close()
