/** core-conventions.md 12.2: lists written to a file by a worker, a part at a time. */
import { gunzipSync } from 'node:zlib'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { eventually } from '@merx/testing/eventually'
import { dieInTransaction } from '../../support/die-in-transaction.ts'
import { errorsOf, marketClaim, openCore, singleOf } from '../../support/open-core.ts'
import type { ResourceObject, TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('exports')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Attributes = Readonly<Record<string, unknown>>

const begin = (attributes: Attributes, token = core.tokens.admin) =>
  core.send('POST', '/api/exports', token, { data: { type: 'exports', attributes } })

const read = async (id: string) => singleOf(await core.get(`/api/exports/${id}`, core.tokens.admin)).data

const run = async (attributes: Attributes, token = core.tokens.admin): Promise<ResourceObject> => {
  const { data } = singleOf(await begin(attributes, token))
  await core.jobs.runUntilIdle()
  return read(data.id)
}

const importOf = async (type: string, inputs: readonly Attributes[]): Promise<Attributes> => {
  const attributes = { resource_type: type, inputs }
  const response = await core.send('POST', '/api/imports', core.tokens.admin, {
    data: { type: 'imports', attributes },
  })
  await core.jobs.runUntilIdle()
  return singleOf(await core.get(`/api/imports/${singleOf(response).data.id}`, core.tokens.admin)).data
    .attributes
}

/** The parts of the file, each a gzip member. */
const fileOf = async ({ id }: ResourceObject): Promise<string> => {
  const { rows } = await core.pool.query<{ content: Buffer }>(
    'SELECT content FROM export_parts WHERE export_id = $1 ORDER BY position',
    [testIds.decode('exports', id)],
  )
  return gunzipSync(Buffer.concat(rows.map(({ content }) => content))).toString()
}

const recordsOf = async (job: ResourceObject): Promise<readonly Record<string, unknown>[]> =>
  JSON.parse(await fileOf(job)) as Record<string, unknown>[]

describe('an export', () => {
  it('is counted at once and completed by a worker', async () => {
    const { data } = singleOf(await begin({ resource_type: 'skus' }))
    expect(data.attributes).toMatchObject({
      status: 'pending',
      records_count: 6,
      processed_count: 0,
      progress: 0,
      attachment_url: null,
    })
    await core.jobs.runUntilIdle()
    const job = await read(data.id)
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 6, progress: 100 })
    const [first, ...rest] = await recordsOf(job)
    expect(first).toMatchObject({
      id: encodeId('skus', 1),
      code: 'SKU-A',
      weight: 300.5,
      created_at: '2026-01-01T00:00:00.000Z',
      metadata: { season: { year: 2026 }, tags: ['a', 'b'] },
      shipping_category_id: encodeId('shipping_categories', 1),
    })
    expect(first).not.toHaveProperty('prices')
    expect(rest.map(({ code }) => code)).toEqual(['SKU-B', 'SKU-C', 'SKU-D', 'SKU-E', 'SKU-F'])
  })

  it('filters as lists do, and writes what it includes in place', async () => {
    const job = await run({
      resource_type: 'skus',
      filters: { code_in: ['SKU-A', 'SKU-B'], prices_amount_cents_gt: 100 },
      includes: ['shipping_category', 'prices.price_list'],
      fields: ['code', 'shipping_category.*', 'prices.amount_cents', 'prices.price_list.code'],
    })
    expect(await recordsOf(job)).toEqual([
      {
        code: 'SKU-A',
        shipping_category: expect.objectContaining({ name: 'Merchandise', code: 'merch' }) as unknown,
        prices: [{ amount_cents: 5000, price_list: { code: 'eu' } }],
      },
      {
        code: 'SKU-B',
        shipping_category: expect.objectContaining({ code: 'merch' }) as unknown,
        prices: [
          { amount_cents: 4000, price_list: { code: 'eu' } },
          { amount_cents: 4500, price_list: { code: 'us' } },
        ],
      },
    ])
  })

  it('leaves out ids, times and blanks of dry data', async () => {
    const job = await run({ resource_type: 'skus', dry_data: true, filters: { code_eq: 'SKU-C' } })
    expect(await recordsOf(job)).toEqual([
      {
        code: 'SKU-C',
        name: 'black TROUSERS',
        do_not_ship: false,
        do_not_track: false,
        shipping_category_id: encodeId('shipping_categories', 1),
      },
    ])
  })

  it('writes CSV with one header, nested values as JSON', async () => {
    const job = await run({
      resource_type: 'skus',
      format: 'csv',
      fields: ['code', 'weight', 'metadata', 'shipping_category'],
      filters: { id_lteq: encodeId('skus', 2) },
    })
    expect(await fileOf(job)).toBe(
      [
        'code,weight,metadata,shipping_category_id',
        `SKU-A,300.5,"{""tags"":[""a"",""b""],""season"":{""year"":2026}}",${encodeId('shipping_categories', 1)}`,
        `SKU-B,300.5,"{""season"":{""year"":2025}}",${encodeId('shipping_categories', 1)}`,
        '',
      ].join('\n'),
    )
  })

  it('can be imported again', async () => {
    for (const format of ['json', 'csv']) {
      const job = await run({ resource_type: 'prices', format })
      const file = await fileOf(job)
      const { data } = singleOf(
        await core.send('POST', '/api/imports', core.tokens.admin, {
          data: {
            type: 'imports',
            attributes: {
              resource_type: 'prices',
              format,
              inputs: format === 'csv' ? file : (JSON.parse(file) as unknown),
            },
          },
        }),
      )
      await core.jobs.runUntilIdle()
      const done = singleOf(await core.get(`/api/imports/${data.id}`, core.tokens.admin)).data
      expect(done.attributes).toMatchObject({ status: 'completed', processed_count: 6, errors_log: {} })
    }
  })

  it.each(['orders', 'line_items'])('of %s can be imported again, as an update and as new', async (type) => {
    const bare = { name: 'Engraving', quantity: 1, unit_amount_cents: 100, order_id: encodeId('orders', 1) }
    await importOf('line_items', [bare])
    const records = await recordsOf(await run({ resource_type: type }))
    const nullable = type === 'orders' ? 'payment_source' : 'item'
    expect(records.at(-1)).toMatchObject({ [`${nullable}_type`]: null, [`${nullable}_id`]: null })
    const done = { status: 'completed', errors_count: 0, errors_log: {} }
    expect(await importOf(type, records)).toMatchObject(done)
    const { id: _id, number: _number, token: _token, ...copy } = records.at(-1) ?? {}
    expect(await importOf(type, [copy])).toMatchObject(done)
  })

  it('sees what its token sees, and only that', async () => {
    core.roles.set('rOleCustom', {
      kind: 'custom',
      permissions: [
        { subject: 'exports', actions: ['create', 'read'] },
        { subject: 'skus', actions: ['read'] },
      ],
    } as never)
    const role = { id: 'rOleCustom', kind: 'custom' }
    const token = await core.tokens.mint({ role, market: marketClaim([2]), scope: 'market:id:x' })
    const job = await run({ resource_type: 'skus' }, token)
    expect((await recordsOf(job)).map(({ code }) => code)).toEqual(['SKU-B'])
    expect((await begin({ resource_type: 'skus', includes: ['prices'] }, token)).status).toBe(401)
    expect((await begin({ resource_type: 'orders' }, token)).status).toBe(401)
  })

  it('applies the scope of an administrator only when requested', async () => {
    const token = await core.tokens.mint({ market: marketClaim([2]), scope: 'market:id:x' })
    expect((await run({ resource_type: 'skus' }, token)).attributes['records_count']).toBe(6)
    expect((await run({ resource_type: 'skus', jwt_filters: true }, token)).attributes['records_count']).toBe(
      1,
    )
  })

  it('has no gap and no repetition when a worker dies in the middle, and leaves out what came later', async () => {
    await core.pool.query(`INSERT INTO skus (environment_id, code, name, shipping_category_id)
      SELECT 1, 'MANY-' || n, 'Many', 1 FROM generate_series(1, 450) AS n`)
    await core.jobs.runUntilIdle() // jobs of exports that other tests removed
    const { data } = singleOf(
      await begin({ resource_type: 'skus', filters: { code_start: 'MANY-' }, fields: ['code'] }),
    )
    await dieInTransaction(core, 2)
    await core.pool.query(`INSERT INTO skus (environment_id, code, name, shipping_category_id)
      VALUES (1, 'MANY-LATE', 'Late', 1)`)
    expect((await read(data.id)).attributes).toMatchObject({
      status: 'in_progress',
      processed_count: 200,
      progress: 44.4,
    })
    await eventually(async () => {
      await core.jobs.runUntilIdle()
      return (await read(data.id)).attributes['status'] === 'completed'
    })
    const job = await read(data.id)
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 450 })
    const codes = (await recordsOf(job)).map(({ code }) => code)
    expect(codes).toHaveLength(450)
    expect(new Set(codes).size).toBe(450)
    expect(codes).not.toContain('MANY-LATE')
  })

  it('is downloaded without a token from an address that expires', async () => {
    const job = await run({ resource_type: 'skus' })
    const url = new URL(String(job.attributes['attachment_url']))
    expect(url.origin).toBe('http://localhost:8080')
    const response = await core.client.get(url.pathname + url.search, {})
    expect(response.status).toBe(200)
    expect(response.headers['content-disposition']).toBe('attachment; filename="skus.json.gz"')
    core.clock.advance(301)
    expect((await core.client.get(url.pathname + url.search, {})).status).toBe(404)
  })

  it('continues after an interruption', async () => {
    const { data } = singleOf(await begin({ resource_type: 'skus' }))
    const change = (name: string) =>
      core.send('PATCH', `/api/exports/${data.id}`, core.tokens.admin, {
        data: { type: 'exports', id: data.id, attributes: { [name]: true } },
      })
    expect(singleOf(await change('_interrupt')).data.attributes['status']).toBe('interrupted')
    expect(singleOf(await change('_interrupt')).data.attributes['status']).toBe('interrupted')
    expect(singleOf(await change('_start')).data.attributes['status']).toBe('pending')
    await core.jobs.runUntilIdle()
    expect((await read(data.id)).attributes['status']).toBe('completed')
    for (const [trigger, to] of [
      ['_start', 'pending'],
      ['_interrupt', 'interrupted'],
    ] as const) {
      expect(errorsOf(await change(trigger))).toMatchObject([
        {
          status: '422',
          title: `cannot transition from completed to ${to}`,
          source: { pointer: '/data/attributes/status' },
          meta: { error: 'invalid_transition' },
        },
      ])
    }
  })
})

describe('POST /api/exports refuses', () => {
  it.each([
    ['no type', {}, "resource_type - can't be blank"],
    ['jobs', { resource_type: 'imports' }, /^resource_type - cannot be exported; allowed: addresses, /],
    [
      'no records',
      { resource_type: 'skus', filters: { code_eq: 'NONE' } },
      'records_count - must be greater than 0',
    ],
    [
      'an unknown filter',
      { resource_type: 'skus', filters: { colour_eq: 'red' } },
      /^filters - skus cannot be filtered by "colour_eq"/,
    ],
    [
      'a bad value',
      { resource_type: 'skus', filters: { weight_gt: 'x', created_at_gt: 'x' } },
      /^filters - /,
    ],
    [
      'an unknown include',
      { resource_type: 'skus', includes: ['nope'] },
      /^includes - skus cannot include "nope"/,
    ],
    ['an unknown field', { resource_type: 'skus', fields: ['nope'] }, 'fields - "nope" is no field of skus'],
    [
      'a field of what is not included',
      { resource_type: 'skus', fields: ['prices.*'] },
      'fields - "prices.*" is of "prices", which is not among the includes',
    ],
  ])('%s', async (_case, attributes, detail) => {
    const response = await begin(attributes)
    expect(response.status).toBe(422)
    const first = errorsOf(response)[0]?.detail
    if (typeof detail === 'string') expect(first).toBe(detail)
    else expect(first).toMatch(detail)
  })

  it('more records than a file may hold', async () => {
    await core.pool.query(`INSERT INTO skus (environment_id, code, name, shipping_category_id)
      SELECT 1, 'MANY-' || n, 'Many', 1 FROM generate_series(1, 10001) AS n`)
    const response = await begin({ resource_type: 'skus' })
    expect([response.status, errorsOf(response)[0]?.meta]).toEqual([
      422,
      { error: 'less_than_or_equal_to', value: 10_007, count: 10_000 },
    ])
  })
})
