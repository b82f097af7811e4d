/**
 * One replica of each service loses its network under sales and gets it back. Who hung up on it meanwhile could not tell it, so it
 * waits for answers that never come until it finds out by itself (packages/postgres/src/keep-alive.ts).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { openClient, type Client } from '../../faults/history/clients.ts'
import { SERVICES, type ServiceName } from '../../faults/support/service-process.ts'
import type { User } from '../../faults/support/user.ts'
import { ALL_TIME } from '../../support/every-order.ts'
import { cut } from '../support/break-container.ts'
import { unless, type Check } from '../support/check.ts'
import { addressOf } from '../support/containers.ts'
import { openSystem } from '../support/system.ts'
import { describeLoad, underLoad } from '../support/under-load.ts'

const CUT_MS = 8_000
/** More than a process has connections to PostgreSQL, so that one that is lost shows. */
const AT_ONCE = 40
/** Ten quiet seconds, ten questions without an answer, and the patience of a client. */
const RECOVERED_MS_MAX = 40_000
const GIVE_UP_MS = 120_000
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
const openClientOf = async (service: ServiceName, container: string): Promise<Client> => {
  const { addresses, ...system } = await openSystem()
  const address = `http://${await addressOf(container)}:${PORTS[service]}`
  return openClient({ ...system, addresses: { ...addresses, [service]: address } }, container)
}

/** How long until as many as ask at once are all answered well, in milliseconds. */
const untilAnswering = async (service: ServiceName, user: User): Promise<number> => {
  const from = performance.now()
  for (;;) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ASK[service](user)))
    const ms = performance.now() - from
    if (answers.every((answer) => answer !== undefined) || ms > GIVE_UP_MS) return Math.round(ms)
  }
}

export const cutNetwork: Check = {
  name: 'cut-network',
  title: 'a replica that had no network works again by itself',
  run: async () => {
    const recovered = new Map<ServiceName, number>()
    const wrong: string[] = []
    const load = await underLoad(async () => {
      for (const service of SERVICES) {
        const container = `merx-${service}-1`
        const { user, record } = await openClientOf(service, container)
        await untilAnswering(service, user)
        const mend = await cut(container).break()
        await wait(CUT_MS)
        await mend()
        recovered.set(service, await untilAnswering(service, user))
        wrong.push(...record.wrong)
      }
    })
    return {
      figures:
        `cut for ${CUT_MS / 1_000} s each; ${AT_ONCE} requests at once answered well by ` +
        `${[...recovered].map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)} s`).join(', ')} after it was back; ` +
        describeLoad(load),
      wrong: [
        ...load.wrong,
        ...wrong,
        ...[...recovered].flatMap(([name, ms]) =>
          unless(
            ms <= RECOVERED_MS_MAX,
            `${name} answered well only after ${ms} ms, not ${RECOVERED_MS_MAX}`,
          ),
        ),
      ],
    }
  },
}
