/** What load tests rest on: what was recorded of auth and core is what metrics parses, and every operation of the mix works. */
import { parseAccessState } from '@merx/access-token/access-state-document'
import { fromClaims } from '@merx/access-token/claims'
import { withContext } from '@merx/load/bench'
import { runClosedLoop } from '@merx/load/closed-loop'
import { openMix } from '../../load/metrics.load.ts'
import { recording as recordedAuth } from '../../load/recorded-auth.ts'
import { recordedDocument, recording as recordedCore } from '../../load/recorded-core.ts'
import { documentOf } from '../../load/shop-documents.ts'
import { preparePage } from '../../src/ingest/prepare-page.ts'

/** Fewer than load has: it is only whether they work. */
const ORDERS = 1_000

describe('the recorded auth', () => {
  it('gives an access state with the role of its tokens', () => {
    const { roles } = parseAccessState(recordedAuth.access_state)
    const { integration } = recordedAuth.claims
    expect(roles.map(({ id }) => id)).toContain((integration.role as { readonly id: string }).id)
    expect(fromClaims(integration)).toMatchObject({ application: { kind: 'integration' } })
  })
})

describe('the recorded core', () => {
  it('gives a page that the ingest takes whole', () => {
    const { entries } = preparePage(JSON.stringify(recordedCore.page))
    expect(entries).toHaveLength(1)
    expect(entries[0]?.order).toContain(recordedDocument().id)
  })

  it('is what the orders of the shop are made of, a thousand of them different and all sound', () => {
    const documents = Array.from({ length: ORDERS }, (_, number) => documentOf(number, ORDERS, 1))
    expect(new Set(documents.map(({ id }) => id)).size).toBe(ORDERS)
    const page = {
      entries: documents.map((document) => ({ kind: 'upsert', document })),
      cursor: 'c1',
      caught_up: true,
    }
    expect(preparePage(JSON.stringify(page)).entries.every(({ order }) => order !== undefined)).toBe(true)
  })
})

describe('the mix', () => {
  it('has weights that add up to 100, and operations that all succeed', async () => {
    await withContext(
      () => undefined,
      async (context) => {
        const { target, operations } = await openMix(ORDERS)(context)
        expect(operations.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
        for (const { name, callerOf } of operations) {
          const load = { url: target.url, callerOf, connections: 2, seconds: 30, requestsMax: 4 }
          expect({ name, ...(await runClosedLoop(load)) }).toMatchObject({ name, requests: 4, failures: 0 })
        }
      },
    )
  })
})
