/**
 * One replica of each service loses its network under sales and gets it back. Who hung up on it meanwhile could not tell it, so it
 * waits for answers that never come until it finds out by itself (packages/postgres/src/keep-alive.ts).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { openClient } from '../../faults/history/clients.ts'
import { SERVICES, type ServiceName } from '../../faults/support/service-process.ts'
import type { User } from '../../faults/support/user.ts'
import { ALL_TIME } from '../../support/every-order.ts'
import { cut } from '../support/break-container.ts'
import type { Check } from '../support/check.ts'
import { addressOf } from '../support/containers.ts'
import { openSystem } from '../support/system.ts'
import { describeLoad, underLoad } from '../support/under-load.ts'

const CUT_MS = 8_000
/** More than a process has connections to PostgreSQL, so that one that is lost shows. */
const AT_ONCE = 40
/** Ten quiet seconds, ten questions without an answer, and the patience of a client. */
const RECOVERED_MS_MAX = 40_000
/** Until all of them have sent their statement. */
const ALL_WAIT_MS = 1_000
const PORTS = { auth: 3001, core: 3002, metrics: 3003 }

const ASK: Readonly<Record<ServiceName, (user: User) => Promise<unknown>>> = {
  auth: async (user) => ((await user.signIn()) ? true : undefined),
  core: (user) => user.core('GET', 'orders?page%5Bsize%5D=1'),
  metrics: (user) =>
    user.metrics('orders/stats', {
      stats: { field: 'order.id', operator: 'value_count' },
      filter: { order: { ...ALL_TIME, date_field: 'created_at' } },
    }),
}

/** Of one replica, past the gateway. Its tokens come from the gateway, unless auth is what is asked. */
const openClientOf = async (service: ServiceName, container: string) => {
  const { addresses, ...system } = await openSystem()
  const address = `http://${await addressOf(container)}:${PORTS[service]}`
  return openClient({ ...system, addresses: { ...addresses, [service]: address } }, container)
}

const askAtOnce = async (service: ServiceName, user: User): Promise<boolean> => {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ASK[service](user)))
  return answers.every((answer) => answer !== undefined)
}

/** How long until as many as ask at once are all answered well, in milliseconds. @throws Error when that takes too long */
const untilAnswering = async (service: ServiceName, user: User, container: string): Promise<number> => {
  const from = performance.now()
  for (;;) {
    const isGood = await askAtOnce(service, user)
    const ms = Math.round(performance.now() - from)
    if (isGood) return ms
    if (ms > RECOVERED_MS_MAX) throw new Error(`${container} did not answer well in ${RECOVERED_MS_MAX} ms`)
  }
}

interface Recovery {
  readonly name: string
  readonly ms: number
  readonly wrong: readonly string[]
}

/** @returns how long the replica took once its network was back, in milliseconds */
const cutOne = async (service: ServiceName): Promise<Recovery> => {
  const container = `merx-${service}-1`
  const { user, record } = await openClientOf(service, container)
  await untilAnswering(service, user, container)
  const mend = await cut(container).break()
  await wait(CUT_MS)
  await mend()
  return { name: service, ms: await untilAnswering(service, user, container), wrong: [...record.wrong] }
}

/** While all connections of a core wait for PostgreSQL, whose answers come when the network is cut. */
const cutWhileAllWait = async (): Promise<Recovery> => {
  const container = 'merx-core-1'
  const { user, record } = await openClientOf('core', container)
  await user.signIn()
  const { postgres } = await openSystem()
  const locker = new Client({ connectionString: postgres.databaseUrl('merx_core') })
  await locker.connect()
  await locker.query('BEGIN')
  await locker.query('LOCK TABLE orders')
  const asked = askAtOnce('core', user)
  await wait(ALL_WAIT_MS)
  const mend = await cut(container).break()
  await locker.query('COMMIT')
  await locker.end()
  await wait(CUT_MS)
  await mend()
  const ms = await untilAnswering('core', user, container)
  await asked
  return { name: 'a core whose connections all waited', ms, wrong: [...record.wrong] }
}

export const cutNetwork: Check = {
  name: 'cut-network',
  title: 'a replica that had no network works again by itself',
  run: async () => {
    const recoveries: Recovery[] = []
    const load = await underLoad(async () => {
      for (const service of SERVICES) recoveries.push(await cutOne(service))
      recoveries.push(await cutWhileAllWait())
    })
    const times = recoveries.map(({ name, ms }) => `${name} ${(ms / 1_000).toFixed(1)} s`)
    return {
      figures:
        `cut for ${CUT_MS / 1_000} s each; ${AT_ONCE} requests at once answered well after it was back: ` +
        `${times.join(', ')}; ${describeLoad(load)}`,
      wrong: [...load.wrong, ...recoveries.flatMap(({ wrong }) => wrong)],
    }
  },
}
