/** A node of the Redis Cluster is lost under sales and comes back: users notice nothing. */
import { setTimeout as wait } from 'node:timers/promises'
import { tally, unless, type Check } from '../support/check.ts'
import { docker, untilHealthy } from '../support/containers.ts'
import { describeLoad, underLoad } from '../support/under-load.ts'

const NODE = 'merx-redis-2-1'
/** Longer than the nodes take to call another one lost (cluster-node-timeout, 15 s). */
const LOST_MS = 25_000

export const redisNode: Check = {
  name: 'redis-node',
  title: 'the loss of a node of the Redis Cluster costs no request',
  run: async () => {
    const load = await underLoad(async () => {
      await docker('kill', NODE)
      await wait(LOST_MS)
      await docker('start', NODE)
      await untilHealthy(NODE)
    })
    return {
      figures: `lost for ${LOST_MS / 1_000} s; ${describeLoad(load)}`,
      wrong: [
        ...load.wrong,
        ...unless(
          load.broken.length === 0,
          `answers meanwhile: ${tally(load.broken.map(({ service, outcome }) => `${service} ${outcome}`))}`,
        ),
      ],
    }
  },
}
