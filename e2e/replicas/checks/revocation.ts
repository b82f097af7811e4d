/** A token that is revoked at one auth is refused by every core and every metrics within a second. */
import { setTimeout as wait } from 'node:timers/promises'
import { clientCredentials, connect, JSON_API, METRICS_ACCEPT } from '../../support/connect.ts'
import { ALL_TIME } from '../../support/every-order.ts'
import type { TokenBody } from '../../support/wire.ts'
import { unless, type Check } from '../support/check.ts'
import { addressOf, containersOf } from '../support/containers.ts'

const ROUNDS = 10
const POLL_MS = 20
const WITHIN_MS = 1_000
const GIVE_UP_MS = 10_000

interface Replica {
  readonly name: string
  readonly status: (token: string) => Promise<number>
}

const question = {
  stats: { field: 'order.id', operator: 'value_count' },
  filter: { order: { ...ALL_TIME, date_field: 'created_at' } },
}

/** Asked directly, past the gateway. */
const openReplicas = async (): Promise<readonly Replica[]> => {
  const replicas: Replica[] = []
  for (const name of await containersOf('core')) {
    const url = `http://${await addressOf(name)}:3002/api/orders?page[size]=1`
    replicas.push({
      name,
      status: async (token) =>
        (await connect().raw('GET', url, { Accept: JSON_API, Authorization: `Bearer ${token}` })).status,
    })
  }
  for (const name of await containersOf('metrics')) {
    const url = `http://${await addressOf(name)}:3003/metrics/orders/stats`
    const headers = { Accept: METRICS_ACCEPT, 'Content-Type': JSON_API }
    replicas.push({
      name,
      status: async (token) =>
        (await connect().raw('POST', url, { ...headers, Authorization: `Bearer ${token}` }, question)).status,
    })
  }
  return replicas
}

/** Until it refuses the token, in milliseconds since it was revoked. */
const refusedAfter = async ({ status }: Replica, token: string, since: number): Promise<number> => {
  for (;;) {
    const askedAt = performance.now()
    if ((await status(token)) === 401) return Math.round(askedAt - since)
    if (askedAt - since > GIVE_UP_MS) return Infinity
    await wait(POLL_MS)
  }
}

export const revocation: Check = {
  name: 'revocation',
  title: 'a revoked token is refused by every replica within a second',
  run: async () => {
    const replicas = await openReplicas()
    const waited: number[] = []
    const wrong: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const fields = clientCredentials('integration_read_only')
      const token = (await connect().token(fields)).json<TokenBody>().access_token
      for (const { name, status } of replicas)
        wrong.push(...unless((await status(token)) === 200, `${name} refuses a new token`))
      const revoked = await connect().auth(
        'POST',
        '/oauth/revoke',
        { 'Content-Type': 'application/json', Accept: 'application/json' },
        { ...fields, token },
      )
      const since = performance.now()
      wrong.push(...unless(revoked.status === 200, `revoking is ${revoked.status}: ${revoked.text}`))
      const all = await Promise.all(
        replicas.map(async (replica) => {
          const ms = await refusedAfter(replica, token, since)
          wrong.push(...unless(ms <= WITHIN_MS, `${replica.name} refused a revoked token after ${ms} ms`))
          return ms
        }),
      )
      waited.push(...all)
    }
    return {
      figures:
        `${ROUNDS} tokens, ${replicas.length} replicas: refused after ${Math.max(...waited)} ms at the latest, ` +
        `${waited.toSorted((a, b) => a - b)[Math.floor(waited.length / 2)] ?? 0} ms in the middle`,
      wrong,
    }
  },
}
