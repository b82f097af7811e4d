/** core-conventions.md 12.1: imports of CSV, as an export gives it. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { openCore, singleOf } from '../../support/open-core.ts'
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
  ])('says that a column %s is none', async (_name, header, key) => {
    const inputs = `${header}\nSKU-A,x\nSKU-B,\n`
    const job = await run({ resource_type: 'skus', format: 'csv', skip_errors: true, inputs })
    expect(job.attributes).toMatchObject({ processed_count: 1, errors_count: 1 })
    const log = job.attributes['errors_log'] as Readonly<Record<string, object>>
    expect(Object.entries(log['SKU-A'] ?? {})).toEqual([[key, ['is no attribute or relationship of skus']]])
  })
})
