/** docs/reference/idempotency.md: which keys are taken, and of which writes nothing is stored. */
import { createHash } from 'node:crypto'
import { errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { errorOf, isReplay, keyedCalls, skuBody, told } from '../support/keyed-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('idempotency_key')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query('TRUNCATE idempotency_keys')
})
afterAll(() => core.close())

const { keyed, count } = keyedCalls(() => core)

describe('what is not stored', () => {
  it('refused writes: they did nothing, and may be right the next time', async () => {
    expect((await keyed('POST', '/api/skus', 'k', skuBody('A', { weight: -1 }))).status).toBe(422)
    expect((await keyed('PATCH', '/api/skus/nope', 'k', { data: { type: 'skus', id: 'nope' } })).status).toBe(
      404,
    )
    expect(await count('idempotency_keys')).toBe(0)
    expect((await keyed('POST', '/api/skus', 'k', skuBody('A'))).status).toBe(201)
  })

  it.each(['', '?include=shipping_category'])('writes that failed (%s)', async (query) => {
    await core.pool
      .query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken' USING ERRCODE = 'XX000'; END $$;
      CREATE TRIGGER fail AFTER INSERT ON skus FOR EACH ROW EXECUTE FUNCTION fail()`)
    try {
      expect((await keyed('POST', `/api/skus${query}`, 'k', skuBody('A'))).status).toBe(500)
    } finally {
      await core.pool.query('DROP TRIGGER fail ON skus; DROP FUNCTION fail()')
    }
    expect(await count('idempotency_keys')).toBe(0)
    const answer = await keyed('POST', `/api/skus${query}`, 'k', skuBody('A'))
    expect([answer.status, isReplay(answer)]).toEqual([201, false])
  })

  it('secrets: answers are sealed, passwords and keys are nowhere', async () => {
    const body = {
      data: {
        type: 'customers',
        attributes: { email: 'secret@example.com', password: 'correct horse battery' },
      },
    }
    const first = await keyed('POST', '/api/customers', 'my-secret-key', body)
    expect(first.status).toBe(201)
    const { rows } = await core.pool.query<{ stored: string }>(
      'SELECT k::text AS stored FROM idempotency_keys AS k',
    )
    expect(rows).toHaveLength(1)
    for (const { stored } of rows)
      for (const secret of ['correct horse', 'my-secret-key', 'secret@example.com'])
        expect(stored).not.toContain(secret)
    expect(told(await keyed('POST', '/api/customers', 'my-secret-key', body))).toEqual(told(first))
  })

  it('anything by which passwords could be tried without the key of core', async () => {
    const body = {
      data: { type: 'customers', attributes: { email: 'a@example.com', password: 'correct horse' } },
    }
    const { scope } = JSON.parse(
      Buffer.from(core.tokens.admin.split('.')[1] ?? '', 'base64url').toString(),
    ) as { scope: string }
    expect((await keyed('POST', '/api/customers', 'k', body)).status).toBe(201)
    const { rows } = await core.pool.query<{ fingerprint: Buffer }>(
      'SELECT fingerprint FROM idempotency_keys',
    )
    const known = JSON.stringify(['POST', '/api/customers', scope, JSON.stringify(body)])
    expect(rows).toHaveLength(1)
    expect(rows[0]?.fingerprint).not.toEqual(createHash('sha256').update(known).digest())
  })
})

describe('the header', () => {
  it.each([
    ['empty', '', 'is empty'],
    ['empty in quotes', '""', 'is empty'],
    ['open quotes', '"a', 'is not one string'],
    ['two strings', '"a", "b"', 'is not one string'],
    ['parameters', '"a";b=1', 'is not one string'],
    ['a space without quotes', 'a b', 'is not one string'],
    ['an escape that is none', String.raw`"a\b"`, 'is not one string'],
    ['not ASCII', '"caf\u00e9"', 'is not one string'],
    ['too long', `"${'k'.repeat(256)}"`, 'has 256 characters; at most 255'],
  ])('is refused: %s', async (_name, key, detail) => {
    const answer = await keyed('POST', '/api/skus', key, skuBody('A'))
    expect(errorOf(answer)).toEqual([400, 'IDEMPOTENCY_KEY_NOT_VALID', 'Idempotency-Key'])
    expect(errorsOf(answer)[0]?.detail).toContain(detail)
  })

  it.each([
    ['a UUID in quotes', '"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
    ['a UUID without quotes', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['escapes', String.raw`"a \"b\" \\c"`],
    ['the longest', `"${'k'.repeat(255)}"`],
  ])('is taken: %s', async (_name, key) => {
    expect((await keyed('POST', '/api/skus', key, skuBody('A'))).status).toBe(201)
    expect(isReplay(await keyed('POST', '/api/skus', key, skuBody('A')))).toBe(true)
  })

  it('means nothing to reads and deletes, which can be repeated anyway', async () => {
    const { id } = singleOf(await keyed('POST', '/api/skus', 'k', skuBody('A'))).data
    const headers = { 'Idempotency-Key': '' }
    expect((await core.get('/api/skus', core.tokens.admin, headers)).status).toBe(200)
    expect((await core.send('DELETE', `/api/skus/${id}`, core.tokens.admin, undefined, headers)).status).toBe(
      204,
    )
  })
})

it('takes a large body', async () => {
  const inputs = Array.from({ length: 5_000 }, (_, at) => ({ code: `L-${at}`, name: 'x'.repeat(150) }))
  const body = { data: { type: 'imports', attributes: { resource_type: 'skus', inputs } } }
  const first = await keyed('POST', '/api/imports', 'large', body)
  expect(first.status).toBe(201)
  expect(told(await keyed('POST', '/api/imports', 'large', body))).toEqual(told(first))
  expect(await count('imports')).toBe(1)
})
