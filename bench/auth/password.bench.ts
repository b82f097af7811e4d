import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { passwordTokenRequest } from '@merx/auth/load/token-requests'
import { recordAnswer } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare } from '@merx/load/compare'
import { startTarget } from '@merx/load/target'

/** At most 1.3 times as long as the floor. */
const RATIO_MIN = 1 / 1.3

export const bench: Bench = {
  summary:
    "The password grant, with core's answers recorded but the password really checked there, against an Express application that checks one argon2id hash a request and does nothing else.",
  run: async ({ defer, say }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const auth = await surroundings.start()
    const request = passwordTokenRequest(auth.facts.salesChannel)
    const { body } = await recordAnswer(auth.url, request)
    const program = new URL('./serve-hasher.ts', import.meta.url)
    const hasher = await startTarget({ name: 'hasher', program, input: { body } })
    defer(hasher.stop)
    const callerOf = always(request)
    return {
      comparisons: [
        await compare({
          name: 'password',
          alternatives: [
            { name: 'Express that checks a password', target: hasher, callerOf },
            { name: 'merx', target: auth, callerOf, ratioMin: RATIO_MIN },
          ],
          say,
        }),
      ],
    }
  },
}
