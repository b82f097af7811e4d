import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { integrationTokenRequest } from '@merx/auth/load/token-requests'
import { recordAnswer } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare, type Comparison } from '@merx/load/compare'
import { startTarget } from '@merx/load/target'
import type { ServeSignerFacts, ServeSignerInput } from './serve-signer.ts'
import { asIntegrations, CONNECTIONS, integrationOf, payloadOf } from './token-callers.ts'

/** By size of the key: what is not signing weighs more where a signature is cheap. */
const RATIO_MIN = { 4096: 0.85, 2048: 0.7 } as const
/** Of the Redis server; auth has the others. */
const REDIS_DATABASE = 15

export const bench: Bench = {
  summary:
    'client_credentials with reuse off, so that each answer is a newly signed RS512 token, against an Express application that signs with jose and answers the same bytes for each request and does nothing else, and against one that sends a command to Redis before and after it.',
  run: async ({ defer, say }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const comparisons: Comparison[] = []
    const signing: string[][] = []
    for (const signingKeyBits of [4096, 2048] as const) {
      const auth = await surroundings.start({ signingKeyBits, isReuseOff: true, integrations: CONNECTIONS })
      const request = integrationTokenRequest(integrationOf(auth, 0))
      const answer = await recordAnswer(auth.url, request)
      const input: ServeSignerInput = { signingKeyBits, payload: payloadOf(answer.body), answer }
      const program = new URL('./serve-signer.ts', import.meta.url)
      const signer = await startTarget<ServeSignerFacts>({ name: 'signer', program, input })
      defer(signer.stop)
      const keeping = await startTarget<ServeSignerFacts>({
        name: 'signer with Redis',
        program,
        input: {
          ...input,
          redisUrl: `${surroundings.redisUrl}/${REDIS_DATABASE}`,
        } satisfies ServeSignerInput,
      })
      defer(keeping.stop)
      signing.push([`${signingKeyBits} bit`, signer.facts.signingMs.toFixed(3)])
      comparisons.push(
        await compare({
          name: `RS512, ${signingKeyBits} bit`,
          connections: CONNECTIONS,
          // The speed of a virtual machine changes within seconds.
          ...{ rounds: 20, roundSeconds: 1 },
          warmUpSeconds: 15,
          alternatives: [
            { name: 'Express that signs', target: signer, callerOf: always(request) },
            {
              name: 'Express that looks into Redis, signs and keeps',
              target: keeping,
              callerOf: always(request),
            },
            {
              name: 'merx',
              target: auth,
              callerOf: asIntegrations(auth),
              ratioMin: RATIO_MIN[signingKeyBits],
            },
          ],
          say,
        }),
      )
    }
    const title = 'One signature, alone on one thread'
    return { comparisons, tables: [{ title, columns: ['key', 'ms'], rows: signing }] }
  },
}
