import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { salesChannelTokenRequest } from '@merx/auth/load/token-requests'
import { recordAnswer, startBareExpress } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare } from '@merx/load/compare'
import { startTarget } from '@merx/load/target'
import type { ServeSignerInput } from './serve-signer.ts'
import { CONNECTIONS, payloadOf, refreshing } from './token-callers.ts'

export const bench: Bench = {
  summary:
    'Refresh tokens exchanged one for the next, each exchange a transaction in PostgreSQL and a newly signed token (2048 bit), against an Express application that only signs, and one that only answers.',
  run: async ({ defer, say }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const auth = await surroundings.start({ signingKeyBits: 2048 })
    const request = salesChannelTokenRequest(auth.facts.salesChannel)
    const recorded = await recordAnswer(auth.url, request)
    const payload = payloadOf(recorded.body)
    const signer = await startTarget({
      name: 'signer',
      program: new URL('./serve-signer.ts', import.meta.url),
      input: { signingKeyBits: 2048, payload, answer: recorded } satisfies ServeSignerInput,
    })
    defer(signer.stop)
    const bare = await startBareExpress([recorded])
    defer(bare.stop)
    return {
      comparisons: [
        await compare({
          name: 'refresh_token',
          connections: CONNECTIONS,
          alternatives: [
            { name: 'bare Express', target: bare, callerOf: always(request) },
            { name: 'Express that signs', target: signer, callerOf: always(request) },
            { name: 'merx', target: auth, callerOf: refreshing(auth) },
          ],
          say,
        }),
      ],
    }
  },
}
