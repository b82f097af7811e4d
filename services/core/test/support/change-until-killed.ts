/**
 * A process that changes orders until it is killed: sends each order its triggers, says on standard output when it begins with
 * one, and ends after the last. Arguments: database URL, time, orders such as `7:_place,_approve`.
 */
import { TEST_ID_SECRET, testIds } from '@merx/jsonapi/fixtures/ids'
import { createFakeClock } from '@merx/testing/fake-clock'
import { silentLogger } from '@merx/testing/silent-logger'
import { areas } from '../../src/areas.ts'
import { openDatabase } from '../../src/engine/database/database.ts'
import { createNumberSource } from '../../src/engine/database/number-source.ts'
import { runOn } from '../../src/engine/database/run-statement.ts'
import { createRecords } from '../../src/engine/read/records.ts'
import { createRegistry } from '../../src/engine/registry.ts'
import { createSecretBox } from '../../src/engine/secret-box.ts'
import type { OutsideDeps } from '../../src/engine/write/outside-calls.ts'
import { update } from '../../src/engine/write/update.ts'
import { scopeOf } from '../../src/outside/outside-document.ts'
import { createOutside } from '../../src/outside/outside.ts'

const [url = '', now = '', ...orders] = process.argv.slice(2)
const database = openDatabase({ url, maxConnections: 4, log: silentLogger })
const run = runOn(database.pool)
const clock = createFakeClock(now)
const registry = createRegistry(areas, { ids: testIds })
const client = createOutside({ allowedNetworks: ['127.0.0.0/8'] })
const deps: OutsideDeps = {
  database,
  run,
  registry,
  clock,
  log: silentLogger,
  numbers: createNumberSource(run),
  secretBox: createSecretBox(TEST_ID_SECRET),
  post: (call) => client.post(call),
}
const scope = await scopeOf(1, run)

/** What is refused, because it is done or being done, is tried again by the next process. */
const start = async (order: number, trigger: string): Promise<void> => {
  const request = {
    attributes: new Map(),
    triggers: new Map([[trigger, true]]),
    toOne: new Map(),
    toMany: new Map(),
  }
  await update(registry.require('orders'), { id: order, environment_id: 1 }, request, {
    own: { database, numbers: deps.numbers, outside: deps },
    reading: { run, registry, scope, records: createRecords(registry, 1), mayRead: () => true },
    now: clock.now(),
    actor: { application: null, owner: null },
  }).catch((error: unknown) => process.stderr.write(`${trigger} ${String(error)}\n`))
}

for (const [order, triggers = ''] of orders.map((text) => text.split(':'))) {
  for (const trigger of triggers.split(',')) {
    process.stdout.write(`${order} ${trigger}\n`)
    await start(Number(order), trigger)
  }
}
await client.close()
await database.close()
