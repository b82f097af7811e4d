/** A budget is one for all replicas: what an address sends at once, whoever answers it, is let through to the last one allowed. */
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceName } from '../../faults/support/service-process.ts'
import { accessToken, clientCredentials, connect, type Connection } from '../../support/connect.ts'
import { ALL_TIME } from '../../support/every-order.ts'
import type { Reply } from '../../support/send.ts'
import { tally, unless, type Check, type Finding } from '../support/check.ts'
import { containersOf, docker, replicasThatServed } from '../support/containers.ts'

const ROUNDS = 5
const REQUESTS = 60
const MS = 1_000
/** Rounds that may be too slow for Redis to count, on a machine that does other work. */
const ALONE_MAX = 10
const SHARED_AGAIN_MS = 1_500

interface Limited {
  readonly service: ServiceName
  /** What the contract allows an address, in any so many seconds on end. */
  readonly points: number
  readonly seconds: number
  readonly send: (from: Connection) => Promise<Reply>
}

const countOrders = { field: 'order.id', operator: 'value_count' }

const openLimited = async (): Promise<readonly Limited[]> => {
  const token = await accessToken('integration')
  return [
    {
      service: 'auth',
      ...{ points: 30, seconds: 60 },
      send: (from) => from.token(clientCredentials('integration')),
    },
    {
      service: 'core',
      ...{ points: 25, seconds: 10 },
      send: (from) => from.core('orders?page[size]=1', { token }),
    },
    {
      service: 'metrics',
      ...{ points: 25, seconds: 10 },
      send: (from) =>
        from.metrics(
          'orders/stats',
          { stats: countOrders, filter: { order: { ...ALL_TIME, date_field: 'created_at' } } },
          { token },
        ),
    },
  ]
}

/** Whether a replica counted for itself meanwhile, as it does while Redis takes longer than 250 ms (docs/adr/0003). */
const hasCountedAlone = async (service: ServiceName, since: Date): Promise<boolean> => {
  const logs = await Promise.all(
    (await containersOf(service)).map((name) => docker('logs', '--since', since.toISOString(), name)),
  )
  return logs.some((log) => log.includes('rate limits are per process'))
}

/** Of one round: what was answered, and how long it took. */
const sendAtOnce = async ({ send }: Limited, from: Connection) => {
  const startedAt = performance.now()
  const replies = await Promise.all(Array.from({ length: REQUESTS }, () => send(from)))
  return { statuses: replies.map(({ status }) => status), ms: Math.round(performance.now() - startedAt) }
}

const checkOne = async (limited: Limited): Promise<Finding> => {
  const { service, points, seconds } = limited
  const wrong: string[] = []
  const clients = new Set<string>()
  let [rounds, alone] = [0, 0]
  while (rounds < ROUNDS && alone < ALONE_MAX) {
    const since = new Date()
    const from = connect()
    clients.add(from.address)
    const { statuses, ms } = await sendAtOnce(limited, from)
    if (ms >= seconds * MS || (await hasCountedAlone(service, since))) {
      alone += 1
      await wait(SHARED_AGAIN_MS)
      continue
    }
    rounds += 1
    const [good, refused] = [200, 429].map((status) => statuses.filter((each) => each === status).length)
    wrong.push(
      ...unless(
        good === points && refused === REQUESTS - points,
        `${service}: ${tally(statuses)}; allowed are ${points}`,
      ),
    )
  }
  const [served, all] = [await replicasThatServed(service, clients), (await containersOf(service)).length]
  wrong.push(
    ...unless(rounds === ROUNDS, `${service}: Redis was too slow in ${alone} rounds`),
    ...unless(served === all, `${service}: ${served} of ${all} replicas answered`),
  )
  return {
    figures:
      `${service}: ${rounds} times ${points} of ${REQUESTS}, by ${served} replicas` +
      (alone === 0 ? '' : ` (${alone} more did not count: the machine was too slow)`),
    wrong,
  }
}

export const rateLimits: Check = {
  name: 'rate-limits',
  title: 'a rate limit counts over all replicas, exactly',
  run: async () => {
    const findings: Finding[] = []
    for (const each of await openLimited()) findings.push(await checkOne(each))
    return {
      figures: findings.map(({ figures }) => figures).join('; '),
      wrong: findings.flatMap(({ wrong }) => wrong),
    }
  },
}
