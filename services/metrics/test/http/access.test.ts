/** Who may ask, and what the token lets them see (contract "Metrics access", "Scopes" rule 9). */
import type { Permission } from '@merx/access-token/caller'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { MARKETS } from '../support/documents.ts'
import { claimsOf, createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const body = { stats: { field: 'order.id', operator: 'value_count' } }
const market = {
  id: [MARKETS[0].id],
  stock_location_ids: [],
  geocoder_id: null,
  allows_external_prices: false,
}

describe('access to the metrics interface', () => {
  const { engine, statements } = createRecordingEngine()
  const roles = new Map<string, readonly Permission[]>()
  let app: TestApp

  beforeAll(async () => {
    app = await openTestApp({ engine, env: { RATE_LIMIT_SCALE: '1000' }, roles })
  })

  afterAll(async () => {
    await app.close()
  })

  beforeEach(() => {
    statements.length = 0
  })

  const ask = async (claims: Readonly<Record<string, unknown>>): Promise<InProcessResponse> =>
    app.ask('/metrics/orders/stats', body, { token: await app.mint(claims) })

  /** The markets that the statement over orders was limited to. */
  const limitedTo = (): unknown => {
    const statement = statements.find(({ text }) => text.includes('toString(count())'))
    const name = /market_id IN \{(p\d+):/.exec(statement?.text ?? '')?.[1]
    return name === undefined ? undefined : statement?.params[name]
  }

  it.each([
    ['an admin integration', claimsOf('integration', { id: 'roleAdmin', kind: 'admin' })],
    ['a read-only integration', claimsOf('integration', { id: 'roleRead', kind: 'read_only' })],
    ['a webapp', claimsOf('webapp', { id: 'roleAdmin', kind: 'admin' })],
  ])('answers %s', async (_name, claims) => {
    const { status } = await ask(claims)
    expect(status).toBe(200)
  })

  it.each([
    ['a sales channel', claimsOf('sales_channel')],
    ['a sales channel that claims a role', claimsOf('sales_channel', { id: 'roleAdmin', kind: 'admin' })],
    ['an integration without a role', claimsOf('integration')],
  ])('refuses %s with 401 and no meta, before any query runs', async (_name, claims) => {
    const { status, body: refused, headers } = await ask(claims)
    expect(headers['www-authenticate']).toBe('Bearer realm="merx", error="insufficient_scope"')
    const title = 'the access token is not valid or expired'
    expect(status).toBe(401)
    expect(refused).toEqual({ error: { title, code: 'UNAUTHORIZED', status: 401 } })
    // how many rows there are may be read meanwhile, for a case before
    expect(statements.filter(({ text }) => !text.includes('FROM system.parts'))).toEqual([])
  })

  it('lets a custom role in only when it may read orders', async () => {
    const claims = claimsOf('integration', { id: 'roleCustom', kind: 'custom' })
    expect((await ask(claims)).status).toBe(401)
    roles.set('roleCustom', [
      { subject: 'skus', actions: ['read'] },
      { subject: 'orders', actions: ['create'] },
    ])
    expect((await ask(claims)).status).toBe(401)
    roles.set('roleCustom', [{ subject: 'orders', actions: ['read'] }])
    expect((await ask(claims)).status).toBe(200)
  })

  it.each([
    ['a webapp', claimsOf('webapp', { id: 'roleAdmin', kind: 'admin' }), [MARKETS[0].id]],
    [
      'an integration with a custom role',
      claimsOf('integration', { id: 'roleCustom', kind: 'custom' }),
      [MARKETS[0].id],
    ],
    ['not an admin integration', claimsOf('integration', { id: 'roleAdmin', kind: 'admin' }), undefined],
    [
      'not a read-only integration',
      claimsOf('integration', { id: 'roleRead', kind: 'read_only' }),
      undefined,
    ],
  ])('the market in scope narrows %s', async (_name, claims, expected) => {
    const { body: answered } = await ask({ ...claims, market })
    expect(limitedTo()).toEqual(expected)
    expect(answered).toMatchObject({ meta: { market_ids: expected ?? [] } })
  })

  it.each<[string, 'custom' | 'admin', string | undefined]>([
    ['narrows an integration with a custom role', 'custom', 'storeAAAAA'],
    ['does not narrow an admin integration', 'admin', undefined],
  ])('the store in scope %s to its own orders', async (_name, kind, expected) => {
    roles.set('roleCustom', [{ subject: 'orders', actions: ['read'] }])
    const id = kind === 'custom' ? 'roleCustom' : 'roleAdmin'
    await ask({ ...claimsOf('integration', { id, kind }), market, store: { id: 'storeAAAAA' } })
    const statement = statements.find(({ text }) => text.includes('toString(count())'))
    const name = /store_id = \{(p\d+):/.exec(statement?.text ?? '')?.[1]
    expect(name === undefined ? undefined : statement?.params[name]).toBe(expected)
  })

  it('narrows a role restricted to markets, and refuses one restricted to what metrics cannot tell', async () => {
    const claims = claimsOf('integration', { id: 'roleCustom', kind: 'custom' })
    const restrict = (all: object) =>
      roles.set('roleCustom', [{ subject: 'orders', actions: ['read'], restrictions: { rows: { all } } }])
    restrict({ market_id_in: [MARKETS[0].id] })
    expect((await ask(claims)).body).toMatchObject({ meta: { market_ids: [MARKETS[0].id] } })
    expect(limitedTo()).toEqual([MARKETS[0].id])
    restrict({ status_eq: 'placed' })
    expect((await ask(claims)).status).toBe(401)
    roles.set('roleCustom', [{ subject: 'orders', actions: ['read'] }])
  })

  it('refuses a token whose market scope names no market: it must not be taken for unlimited', async () => {
    const claims = claimsOf('webapp', { id: 'roleAdmin', kind: 'admin' })
    expect((await ask({ ...claims, market: { ...market, id: [] } })).status).toBe(401)
  })

  it.each([
    [true, 'test'],
    [false, 'live'],
  ])('reads the environment that the token says (test: %s)', async (test, mode) => {
    const { body: answered } = await ask({ test })
    expect(answered).toMatchObject({ meta: { mode, organization_id: 'orgAAAAAAA' } })
    const environment = `orgAAAAAAA/${mode}`
    const populations = ['placed', 'approved', 'cancelled', 'editing'].map(
      (status) => `${environment}/${status}`,
    )
    for (const { params, text } of statements) {
      expect(text).toMatch(
        /WHERE environment = \{\w+:String\}|WHERE indexHint\(environment = \{\w+:String\}\) AND .*population IN \{\w+:Array\(String\)\}/,
      )
      expect(Object.values(params)).toEqual(
        expect.arrayContaining(text.includes('indexHint') ? [environment, populations] : [environment]),
      )
    }
  })
})
