/** core-conventions.md 12.1: imports of CSV, as an export gives it. */
import { gunzipSync } from 'node:zlib'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { parse } from 'csv-parse/sync'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { ResourceObject, TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('imports_csv')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const run = async (attributes: Readonly<Record<string, unknown>>): Promise<ResourceObject> => {
  const body = { data: { type: 'imports', attributes } }
  const { data } = singleOf(await core.send('POST', '/api/imports', core.tokens.admin, body))
  await core.jobs.runUntilIdle()
  return singleOf(await core.get(`/api/imports/${data.id}`, core.tokens.admin)).data
}

describe('an import of CSV', () => {
  it('is one text with a line per item; empty cells are left out', async () => {
    const job = await run({
      resource_type: 'skus',
      format: 'csv',
      inputs: [
        'code,name,weight,do_not_track,metadata,shipping_category.code,description',
        'NEW-1,"One, with comma",1.5,true,"{""a"":1}",merch,',
        'NEW-2,Two,,false,,merch,"two ""quoted"""',
      ].join('\n'),
    })
    expect(job.attributes).toMatchObject({
      status: 'completed',
      format: 'csv',
      inputs_size: 2,
      errors_log: {},
    })
    const { rows } = await core.pool.query(
      `SELECT code, name, weight, do_not_track, metadata, description FROM skus
        WHERE code LIKE 'NEW-%' ORDER BY id`,
    )
    expect(rows).toEqual([
      {
        code: 'NEW-1',
        name: 'One, with comma',
        weight: 1.5,
        do_not_track: true,
        metadata: { a: 1 },
        description: null,
      },
      {
        code: 'NEW-2',
        name: 'Two',
        weight: null,
        do_not_track: false,
        metadata: {},
        description: 'two "quoted"',
      },
    ])
  })

  it('says what a cell must be', async () => {
    const job = await run({
      resource_type: 'stock_items',
      format: 'csv',
      skip_errors: true,
      parent_resource_id: encodeId('stock_locations', 1),
      inputs: 'sku_code,quantity\nSKU-A,many\nSKU-C,4\n',
    })
    expect(job.attributes).toMatchObject({
      processed_count: 1,
      errors_log: { 'SKU-A': { quantity: ['is not a number'] } },
    })
  })

  it.each([
    ['of an unknown name', 'code,__proto__', '__proto__'],
    ['without a name', 'code,', 'column 2'],
  ])('refuses a column %s', async (_name, header, key) => {
    const inputs = `${header}\nSKU-A,x\nSKU-B,\n`
    const job = await run({ resource_type: 'skus', format: 'csv', skip_errors: true, inputs })
    expect(job.attributes).toMatchObject({ processed_count: 1, errors_count: 1 })
    const log = job.attributes['errors_log'] as Readonly<Record<string, object>>
    expect(Object.entries(log['SKU-A'] ?? {})).toEqual([[key, ['is no attribute or relationship of skus']]])
  })
})

describe('line breaks in CSV', () => {
  it.each([
    [
      'a header ended by LF, rows by CRLF',
      'code,shipping_category.code,name\nBR-1,merch,Mug\r\nBR-2,merch,Cup\r\n',
    ],
    [
      'a header ended by CRLF, rows by LF',
      'code,shipping_category.code,name\r\nBR-1,merch,Mug\nBR-2,merch,Cup\n',
    ],
    ['CR, then LF', 'code,shipping_category.code,name\rBR-1,merch,Mug\nBR-2,merch,Cup'],
    ['LF, then CR', 'code,shipping_category.code,name\nBR-1,merch,Mug\rBR-2,merch,Cup\r'],
  ])('end records, and are in no value: %s', async (_name, inputs) => {
    const job = await run({ resource_type: 'skus', format: 'csv', inputs })
    expect(job.attributes).toMatchObject({ status: 'completed', inputs_size: 2, errors_log: {} })
    const { rows } = await core.pool.query(`SELECT code, name FROM skus WHERE code LIKE 'BR-%' ORDER BY code`)
    expect(rows).toEqual([
      { code: 'BR-1', name: 'Mug' },
      { code: 'BR-2', name: 'Cup' },
    ])
  })

  it('stay in a cell in quotes', async () => {
    const inputs = 'code,shipping_category.code,name\r\nBR-1,merch,"Mug\nred"\r\n'
    await run({ resource_type: 'skus', format: 'csv', inputs })
    const { rows } = await core.pool.query(`SELECT name FROM skus WHERE code = 'BR-1'`)
    expect(rows).toEqual([{ name: 'Mug\nred' }])
  })
})

describe('formulas in CSV', () => {
  const names = ['=1+1', "=cmd|' /C calc'!A0", '+39 02', '-1', '@SUM(A1)', '\t=1', "'=1", 'plain']

  it('are exported so that no spreadsheet runs them, and imported unchanged', async () => {
    const skus = names.map((name, at) => ({ code: `FO-${at}`, 'shipping_category.code': 'merch', name }))
    await run({ resource_type: 'skus', inputs: skus })
    const csvOf = async (more: Readonly<Record<string, unknown>>): Promise<string> => {
      const attributes = {
        resource_type: 'skus',
        format: 'csv',
        filters: { code_start: 'FO-' },
        fields: ['code', 'name'],
        dry_data: true,
        ...more,
      }
      const response = await core.send('POST', '/api/exports', core.tokens.admin, {
        data: { type: 'exports', attributes },
      })
      expect(response.status).toBe(201)
      await core.jobs.runUntilIdle()
      const { id } = singleOf(response).data
      const { rows } = await core.pool.query<{ content: Buffer }>(
        'SELECT content FROM export_parts WHERE export_id = $1 ORDER BY position',
        [testIds.decode('exports', id)],
      )
      return gunzipSync(Buffer.concat(rows.map(({ content }) => content))).toString()
    }
    const csv = await csvOf({})
    const cells = (parse(csv, { columns: true }) as readonly { readonly name: string }[]).map(
      ({ name }) => name,
    )
    expect(cells).toEqual([...names.slice(0, -1).map((name) => `'${name}`), 'plain'])
    const raw = parse(await csvOf({ escape_formulas: false }), { columns: true }) as readonly {
      name: string
    }[]
    expect(raw.map(({ name }) => name)).toEqual(names)
    await core.pool.query(`UPDATE skus SET name = 'changed' WHERE code LIKE 'FO-%'`)
    const again = await run({ resource_type: 'skus', format: 'csv', inputs: csv })
    expect(again.attributes).toMatchObject({ processed_count: names.length, errors_log: {} })
    const { rows } = await core.pool.query<{ name: string }>(
      `SELECT name FROM skus WHERE code LIKE 'FO-%' ORDER BY code`,
    )
    expect(rows.map(({ name }) => name)).toEqual(names)
  })
})

it.each([
  ['code_in', 'COMMA\\,1,COMMA-2'],
  ['code_start_any', 'COMMA\\,,COMMA-'],
])('a list filter finds values with a comma: %s', async (name, value) => {
  const skus = ['COMMA,1', 'COMMA-2'].map((code) => ({ code, name: code, 'shipping_category.code': 'merch' }))
  await run({ resource_type: 'skus', inputs: skus })
  const path = `/api/skus?sort=id&filter[q][${name}]=${encodeURIComponent(value)}`
  const { data } = listOf(await core.get(path, core.tokens.admin))
  expect(data.map(({ attributes }) => attributes['code'])).toEqual(['COMMA,1', 'COMMA-2'])
})
