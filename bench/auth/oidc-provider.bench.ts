import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { integrationTokenRequest } from '@merx/auth/load/token-requests'
import { recordAnswer, startBareExpress } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare, type Comparison } from '@merx/load/compare'
import type { LoadRequest } from '@merx/load/exchange'
import { startTarget } from '@merx/load/target'
import { OIDC_CLIENT } from './oidc-client.ts'
import { asIntegrations, CONNECTIONS, integrationOf } from './token-callers.ts'

const ASK_OIDC_PROVIDER: LoadRequest = {
  method: 'POST',
  path: '/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ ...OIDC_CLIENT, grant_type: 'client_credentials', scope: 'api' }).toString(),
}

const FRESH_RATIO_MIN = 0.85

export const bench: Bench = {
  summary:
    'client_credentials of npm oidc-provider 9 (RS256 JWTs, its in-memory adapter, no logs and no limits) against those of merx (RS512, PostgreSQL, Redis, logs and limits): reused, and with reuse off, at equal key size.',
  run: async ({ defer, say }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const comparisons: Comparison[] = []
    for (const signingKeyBits of [2048, 4096]) {
      const program = new URL('./serve-oidc-provider.ts', import.meta.url)
      const other = await startTarget({ name: 'oidc-provider', program, input: { signingKeyBits } })
      defer(other.stop)
      const reusing = await surroundings.start({ signingKeyBits })
      const fresh = await surroundings.start({ signingKeyBits, isReuseOff: true, integrations: CONNECTIONS })
      const bare = await startBareExpress([await recordAnswer(other.url, ASK_OIDC_PROVIDER)])
      defer(bare.stop)
      comparisons.push(
        await compare({
          name: `${signingKeyBits} bit`,
          connections: CONNECTIONS,
          // Two of them are close at 4,096 bit, and the speed of a virtual machine changes within seconds.
          ...{ rounds: 20, roundSeconds: 1 },
          warmUpSeconds: 15,
          alternatives: [
            { name: 'oidc-provider', target: other, callerOf: always(ASK_OIDC_PROVIDER) },
            {
              name: 'merx, reused',
              target: reusing,
              callerOf: always(integrationTokenRequest(integrationOf(reusing, 0))),
              ratioMin: 1,
            },
            {
              name: 'merx, fresh',
              target: fresh,
              callerOf: asIntegrations(fresh),
              ratioMin: FRESH_RATIO_MIN,
            },
            { name: 'bare Express', target: bare, callerOf: always(ASK_OIDC_PROVIDER) },
          ],
          say,
        }),
      )
    }
    return { comparisons }
  },
}
