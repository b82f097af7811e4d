import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { integrationTokenRequest, salesChannelTokenRequest } from '@merx/auth/load/token-requests'
import { recordAnswer, startBareExpress } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare, type Comparison } from '@merx/load/compare'
import { startTarget } from '@merx/load/target'
import type { ServeExpressWithRedisInput } from './serve-express-with-redis.ts'
import { integrationOf } from './token-callers.ts'

/** Of the Express handler that reads the body and sends one command to Redis. */
const RATIO_MIN = 0.8
/** Of the Redis server; auth has the others. */
const REDIS_DATABASE = 15

export const bench: Bench = {
  summary:
    'client_credentials answered with the token issued before, PostgreSQL and Redis real, checks, limits and logs on, against an Express application that reads the body, sends one command to Redis and answers the same bytes, and next to a bare one that does not read the request.',
  run: async ({ defer, say }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const auth = await surroundings.start()
    const comparisons: Comparison[] = []
    for (const [name, request] of [
      ['integration, no scope', integrationTokenRequest(integrationOf(auth, 0))],
      ['sales channel, market in scope', salesChannelTokenRequest(auth.facts.salesChannel)],
    ] as const) {
      await recordAnswer(auth.url, request) // the token that is reused from here on
      const recorded = await recordAnswer(auth.url, request)
      const bare = await startBareExpress([recorded])
      defer(bare.stop)
      const input: ServeExpressWithRedisInput = {
        redisUrl: `${surroundings.redisUrl}/${REDIS_DATABASE}`,
        answer: JSON.parse(recorded.body),
      }
      const program = new URL('./serve-express-with-redis.ts', import.meta.url)
      const asking = await startTarget({ name: 'Express with Redis', program, input })
      defer(asking.stop)
      const callerOf = always(request)
      comparisons.push(
        await compare({
          name,
          roundSeconds: 2,
          warmUpSeconds: 10,
          isAwake: true,
          alternatives: [
            { name: 'Express that reads the body and sends one command to Redis', target: asking, callerOf },
            { name: 'bare Express', target: bare, callerOf },
            { name: 'merx', target: auth, callerOf, ratioMin: RATIO_MIN },
          ],
          say,
        }),
      )
    }
    return { comparisons }
  },
}
