/** What tells of a record (history, events, attachments) is hidden with it, and when it would tell hidden fields. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, marketClaim, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { expectUnauthorized, permission, tokenWith } from '../support/restricted-role.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('restricted_history')
  await core.pool
    .query(`INSERT INTO versions (id, environment_id, resource_type, record_id, resource_id, event) VALUES
    (1, 1, 'orders', 1, 'x', 'update'), (2, 1, 'orders', 4, 'x', 'update'), (3, 1, 'skus', 6, 'x', 'create'),
    (4, 1, 'attachments', 2, 'x', 'create'), (5, 1, 'merchants', 1, 'x', 'update'), (6, 1, 'orders', 999, 'x', 'destroy')`)
  await core.pool.query(`INSERT INTO events (id, environment_id, name, resource_type, record_id) VALUES
    (1, 1, 'orders.pending', 'orders', 1), (2, 1, 'orders.pending', 'orders', 4)`)
  await core.pool
    .query(`INSERT INTO attachments (id, environment_id, name, attachable_type, attachable_id) VALUES
    (1, 1, 'Invoice', 'orders', 1), (2, 1, 'Invoice', 'orders', 4), (3, 1, 'Picture', 'skus', 6)`)
})
afterAll(() => core.close())

const LOGS = ['versions', 'event_stores', 'events', 'attachments'].map((type) => permission(type))
const euOnly = { rows: { all: { market_code_eq: 'eu' } } }

const idsOf = async (type: string, token: string): Promise<readonly string[]> =>
  listOf(await core.get(`/api/${type}?page[size]=25`, token)).data.map(({ id }) => id)

const ids = (type: string, ...numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => encodeId(type, number))

describe('for a role restricted to orders of a market', () => {
  it.each([
    ['versions', [1, 3, 5]],
    ['events', [1]],
    ['attachments', [1, 3]],
  ])('%s are those of what it sees, counted as such', async (type, numbers) => {
    const token = await tokenWith(core, permission('orders', euOnly), ...LOGS)
    expect(await idsOf(type, token)).toEqual(ids(type, ...numbers))
    expect(listOf(await core.get(`/api/${type}`, token)).meta.record_count).toBe(numbers.length)
  })

  it.each(['versions', 'event_stores'])('%s of a hidden order are not found by their id', async (type) => {
    const token = await tokenWith(core, permission('orders', euOnly), ...LOGS)
    const status = async (number: number) =>
      (await core.get(`/api/${type}/${encodeId(type, number)}`, token)).status
    expect([await status(1), await status(2), await status(6)]).toEqual([200, 404, 404])
  })

  it('have no address below a hidden order', async () => {
    const token = await tokenWith(core, permission('orders', euOnly), ...LOGS)
    for (const path of ['versions', 'events', 'attachments', 'event_stores'])
      expectUnauthorized(await core.get(`/api/orders/${encodeId('orders', 4)}/${path}`, token))
  })
})

describe('for a role with fields of orders', () => {
  it('shows no history of orders, because it repeats values, and shows events and attachments', async () => {
    const read = ['number', 'versions', 'event_stores', 'events', 'attachments']
    const token = await tokenWith(core, permission('orders', { fields: { read } }), ...LOGS)
    expect(await idsOf('versions', token)).toEqual(ids('versions', 3, 4, 5))
    const order = `/api/orders/${encodeId('orders', 1)}`
    expect(listOf(await core.get(`${order}/versions`, token)).data).toEqual([])
    expect((await core.get(`${order}/event_stores`, token)).body).toMatchObject({ data: [] })
    expect(await idsOf('events', token)).toEqual(ids('events', 1, 2))
    expect(await idsOf('attachments', token)).toEqual(ids('attachments', 1, 2, 3))
  })
})

describe('for a market in scope', () => {
  it('hides versions and events of a row of another market', async () => {
    const id = 'rEveryLog1'
    core.roles.set(id, { kind: 'custom', permissions: LOGS })
    const token = await core.tokens.mint({
      role: { id, kind: 'custom' },
      market: marketClaim([1]),
      scope: 'market:code:eu',
    })
    expect(await idsOf('versions', token)).toEqual(ids('versions', 1, 5))
    expect(await idsOf('attachments', token)).toEqual(ids('attachments', 1))
  })
})
