/** docs/adr/0073-one-write-pipeline.md: a row that stands alone is one statement, and nothing is lost by it. */
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { Client } from 'pg'
import { areas } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop, SKUS } from '../../support/seed-shop.ts'
import { orderCalls } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('short_writes')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Body = Readonly<Record<string, unknown>>

const { add, changeOrder, draft } = orderCalls(() => core)

const registry = createRegistry(areas, { ids: testIds })
const sku = encodeId('skus', SKUS.A)

const create = (code: string, more: Body = {}, headers: Readonly<Record<string, string>> = {}) =>
  core.send(
    'POST',
    '/api/skus',
    core.tokens.admin,
    {
      data: {
        type: 'skus',
        attributes: { code, name: 'New', ...more },
        relationships: {
          shipping_category: {
            data: { type: 'shipping_categories', id: encodeId('shipping_categories', 1) },
          },
        },
      },
    },
    headers,
  )

const change = (attributes: Body, id = sku, headers: Readonly<Record<string, string>> = {}) =>
  core.send(
    'PATCH',
    `/api/skus/${id}`,
    core.tokens.admin,
    { data: { type: 'skus', id, attributes } },
    headers,
  )

/** What was sent to PostgreSQL while `act` ran. */
const textsOf = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
  const texts: string[] = []
  const query: unknown = Reflect.get(Client.prototype, 'query')
  if (typeof query !== 'function') throw new TypeError('pg has another interface now')
  Reflect.set(Client.prototype, 'query', function (this: unknown, ...args: readonly unknown[]): unknown {
    const [sent] = args
    const text = typeof sent === 'string' ? sent : (sent as { readonly text: string }).text
    texts.push(text.trim())
    return Reflect.apply(query, this, args) as unknown
  })
  try {
    await act()
  } finally {
    Reflect.set(Client.prototype, 'query', query)
  }
  return texts
}

/** The first words of each. */
const statementsOf = async (act: () => Promise<unknown>): Promise<readonly string[]> =>
  (await textsOf(act)).map((text) => text.split(/\s+/).slice(0, 2).join(' '))

const versionsOf = async (id: string) =>
  listOf(await core.get(`/api/skus/${id}/versions?sort=id&page[size]=25`, core.tokens.admin)).data.map(
    ({ attributes }) => attributes,
  )

describe('statements', () => {
  it('creates with one, after it took a number', async () => {
    await create('FIRST')
    expect(await statementsOf(() => create('SECOND'))).toEqual([
      'SELECT nextval(numbers.sequence)',
      'WITH written',
    ])
  })

  it('takes the numbers of several new rows at once', async () => {
    const sent = await statementsOf(() => Promise.all(['A1', 'A2', 'A3'].map((code) => create(code))))
    expect(sent.filter((text) => text.startsWith('WITH'))).toHaveLength(3)
    expect(sent.filter((text) => text.startsWith('SELECT nextval')).length).toBeLessThan(3)
  })

  it('changes with two: the row as it is seen, and as it becomes', async () => {
    await change({ name: 'One' })
    expect(await statementsOf(() => change({ name: 'Two' }))).toEqual(['SELECT t."id",', 'WITH written'])
  })

  it('creates with as many when an Idempotency-Key is sent', async () => {
    const key = (name: string) => ({ 'Idempotency-Key': name })
    const category = (name: string) =>
      core.send(
        'POST',
        '/api/shipping_categories',
        core.tokens.admin,
        { data: { type: 'shipping_categories', attributes: { name } } },
        key(name),
      )
    await category('first')
    expect(await statementsOf(() => category('second'))).toEqual([
      'SELECT nextval(numbers.sequence)',
      'WITH key',
    ])
  })

  it('stores with one more an answer that shows more than the row, such as the inventory of a SKU', async () => {
    const key = (name: string) => ({ 'Idempotency-Key': name })
    const words = (texts: readonly string[]) => texts.filter((text) => !text.startsWith('SELECT'))
    await create('KEYED-1', {}, key('1'))
    expect(words(await statementsOf(() => create('KEYED-2', {}, key('2'))))).toEqual([
      'WITH key',
      'UPDATE idempotency_keys',
    ])
    expect(words(await statementsOf(() => change({ name: 'Two' }, sku, key('3'))))).toEqual([
      'WITH key',
      'UPDATE idempotency_keys',
    ])
  })

  it('stores the answer of a transaction with one statement', async () => {
    const order = await draft()
    await changeOrder(order, { language_code: 'it' })
    const plain = await textsOf(() => changeOrder(order, { language_code: 'de' }))
    const body = { data: { type: 'orders', id: order, attributes: { language_code: 'en' } } }
    const keyed = await textsOf(() =>
      core.send('PATCH', `/api/orders/${order}`, core.tokens.admin, body, { 'Idempotency-Key': '5' }),
    )
    expect(keyed).toHaveLength(plain.length + 1)
    expect(keyed.filter((text) => text.startsWith('BEGIN;'))).toHaveLength(1)
    expect(keyed.filter((text) => text.startsWith('INSERT INTO idempotency_keys'))).toHaveLength(1)
  })

  it('writes nothing when nothing is sent', async () => {
    expect(await statementsOf(() => change({}))).toEqual(['SELECT t."id",'])
    expect(await versionsOf(sku)).toEqual([])
  })

  it('writes in a transaction what the statement refuses, which then says why', async () => {
    const sent = await statementsOf(async () => {
      expect(errorsOf(await create('SAME', { weight: -1 }))[0]?.detail).toBe(
        'weight - must be greater than or equal to 0',
      )
    })
    expect(sent).toContain('BEGIN; SET')
    expect(sent).toContain('ROLLBACK')
  })
})

it('an order is locked and written once, with its lines read once', async () => {
  const id = await draft()
  await add(core.tokens.admin, id, { sku_code: 'SKU-A', quantity: 2 })
  const texts = await textsOf(() => changeOrder(id, { customer_email: 'ada@example.com' }))
  const matching = (pattern: RegExp) => texts.filter((text) => pattern.test(text))
  expect(matching(/FROM "orders" .*FOR UPDATE/)).toHaveLength(1)
  expect(matching(/UPDATE "orders"/)).toHaveLength(1)
  expect(matching(/SELECT \* FROM line_items/)).toHaveLength(1)
  expect(matching(/UPDATE "line_items"/)).toHaveLength(0)
})

describe('writers of one row', () => {
  it('all get through, and each version begins where another ends', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Name ${at}`)
    const answers = await Promise.all(names.map((name) => change({ name })))
    expect(answers.map((answer) => singleOf(answer).data.attributes['name'])).toEqual(names)
    const steps = (await versionsOf(sku)).map(({ changes }) => (changes as Record<string, unknown>)['name'])
    expect(steps.map((step) => (step as string[])[1]).toSorted()).toEqual(names.toSorted())
    for (const [at, step] of steps.entries()) {
      if (at > 0) expect((step as string[])[0]).toBe((steps[at - 1] as string[])[1])
    }
  })

  it('keep what the others changed', async () => {
    await Promise.all([
      change({ description: 'Changed' }),
      change({ weight: 7 }),
      change({ pieces_per_pack: 3 }),
      change({ reference: 'R' }),
    ])
    const { data } = singleOf(await core.get(`/api/skus/${sku}`, core.tokens.admin))
    expect(data.attributes).toMatchObject({
      description: 'Changed',
      weight: 7,
      pieces_per_pack: 3,
      reference: 'R',
    })
  })

  it('find nothing when the row was deleted in between', async () => {
    const { id } = singleOf(await create('GONE')).data
    const [changed, removed] = await Promise.all([
      change({ name: 'Late' }, id),
      core.send('DELETE', `/api/skus/${id}`, core.tokens.admin),
    ])
    expect(removed.status).toBe(204)
    expect([200, 404]).toContain(changed.status)
    const { rows } = await core.pool.query('SELECT FROM skus WHERE code = $1', ['GONE'])
    expect(rows).toEqual([])
  })
})

describe('what is answered', () => {
  const changeable = registry.definitions.filter(
    ({ operations, isSingleton }) =>
      operations.includes('update') && operations.includes('list') && !isSingleton,
  )

  it.each(changeable.map(({ type, path }) => [type, path] as const))(
    '%s: is what a reader sees next',
    async (type, path) => {
      const [first] = listOf(await core.get(`/api/${path}?page[size]=1`, core.tokens.admin)).data
      if (first === undefined) return
      const answer = await core.send('PATCH', `/api/${path}/${first.id}`, core.tokens.admin, {
        data: { type: first.type, id: first.id, attributes: { metadata: { type }, reference: 'read again' } },
      })
      const { data } = singleOf(answer)
      expect(data.attributes).toMatchObject({ metadata: { type }, reference: 'read again' })
      expect(data).toEqual(singleOf(await core.get(`/api/${path}/${first.id}`, core.tokens.admin)).data)
    },
  )
})

test('what a write does not look up has a foreign key within its environment', async () => {
  const links = registry.definitions.flatMap(({ table, relationships, operations }) =>
    !operations.includes('create')
      ? []
      : Object.entries(relationships).flatMap(([name, relationship]) => {
          if (relationship.kind !== 'toOne' || relationship.write === 'never') return []
          const target = registry.require(relationship.target)
          const isTrusted = target.memberOf === undefined && target.abstract === undefined
          const column = relationship.column ?? `${name}_id`
          return isTrusted ? [{ table, column, target: target.table }] : []
        }),
  )
  expect(links.length).toBeGreaterThan(20)
  // Keys of more columns say more, as long as none of them can be null.
  const { rows } = await core.pool.query<{ owner: string; columns: readonly string[]; target: string }>(`
    SELECT conrelid::regclass::text AS owner, array_agg(a.attname::text) AS columns, confrelid::regclass::text AS target
    FROM pg_constraint, unnest(conkey) AS number
    JOIN pg_attribute AS a ON a.attnum = number
    WHERE contype = 'f' AND a.attrelid = conrelid AND NOT condeferrable
    GROUP BY pg_constraint.oid, conrelid, confrelid
    HAVING count(*) = 2 OR bool_and(a.attnotnull)`)
  const missing = links.filter(
    ({ table, column, target }) =>
      !rows.some(
        (key) =>
          key.owner === table &&
          key.target === target &&
          ['environment_id', column].every((name) => key.columns.includes(name)),
      ),
  )
  expect(missing).toEqual([])
})
