import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { askAsIntegration, askAsSalesChannel } from '@merx/auth/load/token-requests'
import { recordAnswer, startBareExpress } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare } from '@merx/load/compare'
import { integrationOf } from './token-callers.ts'

const RATIO_MIN = 0.6

export const bench: Bench = {
  summary:
    'client_credentials answered with the token issued before, PostgreSQL and Redis real, checks, limits and logs on, against a bare Express application that answers the same bytes without reading the request.',
  run: async ({ defer, say }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const auth = await surroundings.start()
    const comparisons = []
    for (const [name, request] of [
      ['integration, no scope', askAsIntegration(integrationOf(auth, 0))],
      ['sales channel, market in scope', askAsSalesChannel(auth.facts.salesChannel)],
    ] as const) {
      await recordAnswer(auth.url, request) // the token that is reused from here on
      const bare = await startBareExpress([await recordAnswer(auth.url, request)])
      defer(bare.stop)
      const callerOf = always(request)
      comparisons.push(
        await compare({
          name,
          alternatives: [
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
