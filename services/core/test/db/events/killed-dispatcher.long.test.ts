/**
 * docs/adr/0091-webhooks.md: what committed arrives at least once, what was rolled back never, however often dispatcher and
 * receiver are killed. `WEBHOOK_EVENTS=10000` is the long form.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import type { Database } from '../../../src/engine/database/database.ts'
import { openHttpReceiver } from '../../http/outside/support.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'

const EVENTS = Number(process.env['WEBHOOK_EVENTS'] ?? 400)
const BATCH = 20
const KILLS = 2
const ARRIVAL_MS = 60_000 + EVENTS * 20

let core: CoreDatabase
let dispatcher: ChildProcess | undefined
beforeAll(async () => {
  core = await openCoreDatabase('killed_dispatcher')
})
afterAll(async () => {
  await kill()
  await core.drop()
})

const start = (): void => {
  const program = fileURLToPath(new URL('../../support/deliver-webhooks.ts', import.meta.url))
  dispatcher = spawn(process.execPath, ['--no-warnings', program, core.database.url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** As kill -9 does. */
const kill = async (): Promise<void> => {
  if (dispatcher === undefined) return
  const exited = once(dispatcher, 'exit')
  dispatcher.kill('SIGKILL')
  await exited
  dispatcher = undefined
}

/** One transaction with some events; the record of an event that is rolled back is above those that are not. */
const emit = async (database: Database, from: number, isCommitted: boolean): Promise<void> => {
  const given = new Error('rolled back')
  await database
    .transaction(async (transaction) => {
      await transaction.query(
        `INSERT INTO events (environment_id, name, resource_type, record_id)
        SELECT 1, 'customers.destroy', 'customers', $1::bigint + n FROM generate_series(1, ${BATCH}) AS n`,
        [isCommitted ? from : from + EVENTS * 10],
      )
      if (!isCommitted) throw given
    })
    .catch((error: unknown) => {
      if (error !== given) throw error
    })
}

test(`${EVENTS} events arrive while dispatcher and receiver are killed ${KILLS} times`, async () => {
  const { database } = core
  const arrived = new Set<string>()
  let receiver = await openHttpReceiver(listener)
  function listener(...[request, response]: Parameters<Parameters<typeof openHttpReceiver>[0]>): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { id: string } }
      arrived.add(data.id)
      response.end()
    })
  }
  const until = async (least: number): Promise<void> => {
    for (const from = Date.now(); arrived.size < least; await wait(20))
      if (Date.now() - from > ARRIVAL_MS) throw new Error(`${arrived.size} of ${least} arrived`)
  }
  await database.query(
    "INSERT INTO environments (id, organization_id, mode, slug, name) VALUES (1, 'enWoxFMOnp', 'test', 'shop', 'Shop')",
  )
  const callTo = (port: number) => `http://127.0.0.1:${port}/hook`
  await database.query(
    "INSERT INTO webhooks (environment_id, topic, callback_url) VALUES (1, 'customers.destroy', $1)",
    [callTo(receiver.port)],
  )
  start()
  for (let killed = 0, from = 0; from < EVENTS; from += BATCH) {
    await Promise.all([emit(database, from, true), emit(database, from, false)])
    if (killed < KILLS && arrived.size > ((killed + 1) * EVENTS) / (KILLS + 3)) {
      killed += 1
      await kill()
      await receiver.close()
      receiver = await openHttpReceiver(listener)
      await database.query('UPDATE webhooks SET callback_url = $1', [callTo(receiver.port)])
      start()
    }
    await until(Math.min(arrived.size, EVENTS))
    await wait(50)
  }
  await kill()
  start()
  // What failed while the receiver was away is due after five seconds at the latest.
  await until(EVENTS)
  const committed = Array.from({ length: EVENTS }, (_, at) => encodeId('customers', at + 1))
  expect([...arrived].sort()).toEqual(committed.sort())
  await receiver.close()
})
