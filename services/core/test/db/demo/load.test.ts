/** What load tests rest on: the recorded auth is what core parses, and every operation of the mix works. */
import { parseAccessState } from '@merx/access-token/access-state-document'
import { fromClaims } from '@merx/access-token/claims'
import { withContext } from '@merx/load/bench'
import { runClosedLoop } from '@merx/load/closed-loop'
import { openMix } from '../../../load/core.load.ts'
import { recording } from '../../../load/recorded-auth.ts'

/** Fewer than load has: it is only whether they work. */
const SKUS = 1_000

describe('the recorded auth', () => {
  it('gives an access state with the role of its tokens', () => {
    const { roles } = parseAccessState(recording.access_state)
    expect(roles.map(({ id }) => id)).toContain(
      (recording.claims.integration.role as { readonly id: string }).id,
    )
  })

  it.each(Object.entries(recording.claims))('has claims of a token: %s', (kind, claims) => {
    expect(fromClaims(claims)).toMatchObject({ application: { kind } })
  })
})

describe('the mix', () => {
  it('has weights that add up to 100, and operations that all succeed', async () => {
    await withContext(
      () => undefined,
      async (context) => {
        const { target, operations } = await openMix(SKUS)(context)
        expect(operations.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
        for (const { name, callerOf } of operations) {
          const load = { url: target.url, callerOf, connections: 2, seconds: 30, requestsMax: 4 }
          expect({ name, ...(await runClosedLoop(load)) }).toMatchObject({ name, requests: 4, failures: 0 })
        }
      },
    )
  })
})
