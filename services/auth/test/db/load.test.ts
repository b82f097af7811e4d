/** What load tests rest on: the recorded core answers as auth expects, and every operation of the mix works. */
import { withContext } from '@merx/load/bench'
import { runClosedLoop } from '@merx/load/closed-loop'
import { scenario } from '../../load/auth.load.ts'
import { answerScopes, recording } from '../../load/recorded-core.ts'
import { parseCustomer, parseScopeFacts } from '../../src/core/core-answers.ts'

describe('the recorded core', () => {
  it('answers about a store with its market, as core does', () => {
    const facts = parseScopeFacts(
      answerScopes({ references: [{ type: 'store', by: 'code', value: 'milan' }] }),
    )
    const [store] = recording.stores
    expect(facts.references).toEqual([{ type: 'store', by: 'code', value: 'milan', id: store?.id }])
    expect(facts.stores.map(({ marketId }) => marketId)).toEqual(facts.markets.map(({ id }) => id))
  })

  it.each([
    ['market', recording.markets],
    ['stock_location', recording.stock_locations],
  ] as const)('finds each %s by id and by code', (type, list) => {
    for (const { id, code } of list) {
      for (const [by, value] of [
        ['id', id],
        ['code', code],
      ] as const) {
        const { references } = parseScopeFacts(answerScopes({ references: [{ type, by, value }] }))
        expect(references).toEqual([{ type, by, value, id }])
      }
    }
  })

  it('does not find what was not recorded', () => {
    const facts = parseScopeFacts(
      answerScopes({ references: [{ type: 'market', by: 'code', value: 'mars' }] }),
    )
    expect(facts).toMatchObject({ references: [{ id: null }], markets: [], stores: [], stockLocations: [] })
  })

  it('knows a customer', () => {
    expect(parseCustomer(recording.customer)).toEqual({
      id: recording.customer.id,
      email: 'ada@example.com',
      customerGroupId: null,
      passwordMark: recording.customer.password_mark,
      passwordSetAtSeconds: recording.customer.password_set_at,
    })
  })
})

describe('the mix', () => {
  it('has weights that add up to 100, and operations that all succeed', async () => {
    await withContext(
      () => undefined,
      async (context) => {
        const { target, operations } = await scenario.open(context)
        expect(operations.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
        for (const { name, callerOf } of operations) {
          const load = { url: target.url, callerOf, connections: 2, seconds: 30, requestsMax: 8 }
          expect({ name, ...(await runClosedLoop(load)) }).toMatchObject({ name, requests: 8, failures: 0 })
        }
      },
    )
  })
})
