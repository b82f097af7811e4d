/** What an import may not ask for, said before anything is queued. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('imports_refused')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Attributes = Readonly<Record<string, unknown>>

const begin = (attributes: Attributes, token = core.tokens.admin) =>
  core.send('POST', '/api/imports', token, { data: { type: 'imports', attributes } })

const sku = (at: number) => ({
  code: `NEW-${at}`,
  name: `New ${at}`,
  shipping_category_id: encodeId('shipping_categories', 1),
})

describe('POST /api/imports refuses', () => {
  const seen = async (attributes: Attributes, token = core.tokens.admin) => {
    const response = await begin(attributes, token)
    return [response.status, errorsOf(response).map(({ detail, meta }) => [detail, meta?.['error']])]
  }

  it.each([
    ['no inputs', { resource_type: 'skus' }, "inputs - can't be blank", 'blank'],
    ['an empty list', { resource_type: 'skus', inputs: [] }, "inputs - can't be blank", 'blank'],
    [
      'a text as JSON',
      { resource_type: 'skus', inputs: 'a,b' },
      'inputs - must be a list of objects; for CSV set format to "csv"',
      'invalid',
    ],
    [
      'a list with something else',
      { resource_type: 'skus', inputs: [{}, 1] },
      'inputs - must be a list of objects; item 2 is none',
      'invalid',
    ],
    [
      'a list as CSV',
      { resource_type: 'skus', format: 'csv', inputs: [{}] },
      'inputs - must be one text in CSV; for a list set format to "json"',
      'invalid',
    ],
    [
      'CSV with a column twice',
      { resource_type: 'skus', format: 'csv', inputs: 'code,name, code\nA,B,C' },
      'inputs - has the column "code" twice',
      'invalid',
    ],
    [
      'CSV of what cannot be imported',
      { resource_type: 'markets', format: 'csv', inputs: 'name\nEU' },
      expect.stringContaining('resource_type - cannot be imported'),
      'inclusion',
    ],
    [
      'CSV of names only',
      { resource_type: 'skus', format: 'csv', inputs: 'code,name\n\n' },
      'inputs - has a line of names, and no line of a record after it',
      'blank',
    ],
    [
      'CSV of empty lines',
      { resource_type: 'skus', format: 'csv', inputs: '\n\n' },
      "inputs - can't be blank",
      'blank',
    ],
    [
      'broken CSV',
      { resource_type: 'skus', format: 'csv', inputs: 'a,b\n1,2,3' },
      expect.stringContaining('inputs - is not valid CSV'),
      'invalid',
    ],
    [
      'an unknown parent',
      { resource_type: 'prices', inputs: [{}], parent_resource_id: 'abcdefghij' },
      "parent_resource_id - doesn't exist",
      'noent',
    ],
    [
      'a parent where there is none',
      { resource_type: 'customers', inputs: [{}], parent_resource_id: 'abcdefghij' },
      'parent_resource_id - is not taken: customers have no parent',
      'invalid',
    ],
  ])('%s', async (_case, attributes, detail, error) => {
    expect(await seen(attributes)).toEqual([422, [[detail, error]]])
  })

  it('a type that cannot be imported, naming those that can', async () => {
    const [status, errors] = await seen({ resource_type: 'markets', inputs: [{}] })
    expect(status).toBe(422)
    expect(errors).toEqual([
      [
        expect.stringMatching(/^resource_type - cannot be imported; allowed: addresses, .*customers, .*skus/),
        'inclusion',
      ],
    ])
  })

  it('more than 10,000 items, and bodies beyond the limit', async () => {
    const inputs = Array.from({ length: 10_001 }, () => ({}))
    expect(await seen({ resource_type: 'skus', inputs })).toEqual([
      422,
      [['inputs - must be less than or equal to 10000 items, 10001 were given', 'less_than_or_equal_to']],
    ])
    const large = [{ code: 'A', description: 'x'.repeat(11 * 1024 * 1024) }]
    expect((await begin({ resource_type: 'skus', inputs: large })).status).toBe(413)
  })

  it('an eleventh while ten are unfinished', async () => {
    for (let at = 0; at < 10; at += 1)
      expect((await begin({ resource_type: 'skus', inputs: [sku(at)] })).status).toBe(201)
    expect(await seen({ resource_type: 'skus', inputs: [sku(11)] })).toEqual([
      422,
      [
        [
          'base - must be less than or equal to 10 imports pending or in progress; wait until one is over',
          'less_than_or_equal_to',
        ],
      ],
    ])
  })

  it('callers who may not write the type', async () => {
    expect((await begin({ resource_type: 'skus', inputs: [sku(1)] }, core.tokens.readOnly)).status).toBe(401)
    const role = { id: 'rOleCustom', kind: 'custom' }
    core.roles.set('rOleCustom', {
      kind: 'custom',
      permissions: [{ subject: 'imports', actions: ['create', 'read'] }],
    } as never)
    const token = await core.tokens.mint({ role })
    const response = await begin({ resource_type: 'skus', inputs: [sku(1)] }, token)
    expect([response.status, errorsOf(response)[0]?.detail]).toEqual([
      401,
      'You are not authorized to write skus.',
    ])
  })
})
