import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import {
  integrationTokenRequest,
  tokenInfoRequest,
  fetchKeys,
  introspect,
  revoke,
} from '@merx/auth/load/token-requests'
import { recordAnswer, startBareExpress } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare, type Comparison } from '@merx/load/compare'
import { integrationOf } from './token-callers.ts'

export const bench: Bench = {
  summary:
    'The other endpoints of auth, each against a bare Express application that answers the same bytes. Revocation is of one token again and again: every time a statement in PostgreSQL.',
  run: async ({ defer, say }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const auth = await surroundings.start({ integrations: 2 })
    const client = integrationOf(auth, 0)
    const tokenOf = async (number: number): Promise<string> => {
      const { body } = await recordAnswer(auth.url, integrationTokenRequest(integrationOf(auth, number)))
      return (JSON.parse(body) as { access_token: string }).access_token
    }
    const token = await tokenOf(0)
    const revokedToken = await tokenOf(1)
    const comparisons: Comparison[] = []
    for (const [name, request] of [
      ['key set', fetchKeys],
      ['introspection', introspect(client, token)],
      ['tokeninfo', tokenInfoRequest(token)],
      ['revocation', revoke(integrationOf(auth, 1), revokedToken)],
    ] as const) {
      const bare = await startBareExpress([await recordAnswer(auth.url, request)])
      const callerOf = always(request)
      comparisons.push(
        await compare({
          name,
          rounds: 3,
          roundSeconds: 2,
          warmUpSeconds: 2,
          alternatives: [
            { name: 'bare Express', target: bare, callerOf },
            { name: 'merx', target: auth, callerOf },
          ],
          say,
        }),
      )
      await bare.stop()
    }
    return { comparisons }
  },
}
