/** One answer tells everything that is wrong with a write: query, document, values and what the database knows. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { errorsOf, openCore, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { SKUS } from '../../support/seed-shop.ts'
import { permission, tokenWith } from '../support/restricted-role.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('all_faults')
})
afterAll(() => core.close())

type Parts = Readonly<Record<'attributes' | 'relationships', unknown>>

const linkTo = (type: string, number: number) => ({ data: { type, id: encodeId(type, number) } })
const create = (path: string, parts: Partial<Parts>, token = core.tokens.admin) => {
  const type = path.split('?')[0] ?? ''
  return core.send('POST', `/api/${path}`, token, { data: { type, ...parts } })
}
const update = (type: string, id: string, parts: Partial<Parts>, token = core.tokens.admin) =>
  core.send('PATCH', `/api/${type}/${id}`, token, { data: { type, id, ...parts } })

const violationsIn = (response: InProcessResponse): readonly string[] =>
  errorsOf(response).map(({ status, code, source, meta }) => {
    const kind = typeof meta?.['error'] === 'string' ? meta['error'] : ''
    return `${status} ${code} ${source?.pointer ?? source?.parameter} ${kind}`
  })

const countOf = async (table: string): Promise<number> => {
  const { rows } = await core.pool.query<{ count: string }>(`SELECT count(*) FROM ${table}`)
  return Number(rows[0]?.count)
}

it('a creation: query, members, values, links and codes that are taken', async () => {
  const before = await countOf('skus')
  const response = await create('skus?include=nope', {
    attributes: { nope: 1, created_at: 'x', code: 'SKU-A', pieces_per_pack: 0, unit_of_weight: 'stone' },
    relationships: { shipping_category: { data: { type: 'shipping_categories', id: 'nothing' } } },
  })
  expect(response.status).toBe(400)
  expect(violationsIn(response)).toEqual([
    '400 INVALID_INCLUDE include ',
    '400 PARAM_NOT_ALLOWED /data/attributes/nope ',
    '400 PARAM_NOT_ALLOWED /data/attributes/created_at ',
    '422 VALIDATION_ERROR /data/attributes/name blank',
    '422 VALIDATION_ERROR /data/attributes/pieces_per_pack greater_than_or_equal_to',
    '422 VALIDATION_ERROR /data/attributes/unit_of_weight inclusion',
    '422 VALIDATION_ERROR /data/relationships/shipping_category noent',
    '422 VALIDATION_ERROR /data/attributes/code taken',
  ])
  expect(await countOf('skus')).toBe(before)
})

it('violations of values alone keep their status', async () => {
  const response = await create('skus', { attributes: { code: 'SKU-A', pieces_per_pack: 0 } })
  expect(response.status).toBe(422)
  expect(violationsIn(response)).toEqual([
    '422 VALIDATION_ERROR /data/attributes/name blank',
    '422 VALIDATION_ERROR /data/attributes/pieces_per_pack greater_than_or_equal_to',
    '422 VALIDATION_ERROR /data/relationships/shipping_category blank',
    '422 VALIDATION_ERROR /data/attributes/code taken',
  ])
})

it('returns one error for each kind of violation of a member', async () => {
  const response = await create('skus', { relationships: { shipping_category: { data: 'x' } } })
  // What was sent says nothing, so it is not missing as well.
  expect(violationsIn(response)).toEqual([
    '400 INVALID_LINKS_OBJECT /data/relationships/shipping_category/data ',
    '422 VALIDATION_ERROR /data/attributes/code blank',
    '422 VALIDATION_ERROR /data/attributes/name blank',
  ])
})

it('an update: members, values, and that there is no such resource', async () => {
  const sku = encodeId('skus', SKUS.A)
  const parts = { attributes: { nope: 1, code: 'SKU-B', weight: 'heavy' } }
  const listed = [
    '400 PARAM_NOT_ALLOWED /data/attributes/nope ',
    '422 VALIDATION_ERROR /data/attributes/weight not_a_number',
    '422 VALIDATION_ERROR /data/attributes/code taken',
  ]
  expect(violationsIn(await update('skus', sku, parts))).toEqual(listed)
  const { rows } = await core.pool.query(`SELECT code, weight FROM skus WHERE id = ${SKUS.A}`)
  expect(rows).toEqual([{ code: 'SKU-A', weight: 300.5 }])
  const missing = await update('skus', encodeId('skus', 4999), parts)
  expect([missing.status, ...violationsIn(missing)]).toEqual([
    400,
    listed[0],
    '404 RECORD_NOT_FOUND undefined ',
  ])
})

it.each<[string, Partial<Parts>]>([
  ['attributes', { attributes: [] }],
  ['relationships', { relationships: 'x', attributes: { weight: 'heavy' } }],
])('values are not judged while %s as a whole cannot be read', async (part, parts) => {
  expect(violationsIn(await create('skus', parts))).toEqual([`400 INVALID_DATA_FORMAT /data/${part} `])
})

it('values are not judged when the document is for another address', async () => {
  const document = { type: 'prices', attributes: { weight: 'heavy' } }
  const response = await core.send('POST', '/api/skus', core.tokens.admin, { data: document })
  expect(violationsIn(response)).toEqual(['400 TYPE_MISMATCH /data/type '])
})

it('callers without permission get no validation errors, not even which codes are taken', async () => {
  const fields = { create: ['code', 'name', 'shipping_category'] }
  const token = await tokenWith(core, permission('skus', { fields }), permission('shipping_categories'))
  const response = await create('skus', { attributes: { nope: 1, code: 'SKU-A', weight: 'heavy' } }, token)
  expect(response.status).toBe(400)
  expect(violationsIn(response)).toEqual([
    '400 PARAM_NOT_ALLOWED /data/attributes/nope ',
    '401 UNAUTHORIZED /data/attributes/weight ',
  ])
})

it('returns what a sales channel may not send together with what it sent wrongly', async () => {
  const token = await core.tokens.mint(salesChannel([1]))
  const response = await create('orders', { attributes: { _pending: true, language_code: 'xxxx' } }, token)
  expect(violationsIn(response)).toEqual([
    '400 PARAM_NOT_ALLOWED /data/attributes/_pending ',
    expect.stringContaining('422 VALIDATION_ERROR /data/attributes/language_code'),
  ])
})

describe('what only the workflow of a type knows', () => {
  it('a payment method the order may not be paid with', async () => {
    const response = await create('orders', {
      attributes: { nope: 1, number: '2', cart_url: 'x' },
      relationships: { market: linkTo('markets', 1), payment_method: linkTo('payment_methods', 2) },
    })
    expect(violationsIn(response)).toEqual([
      '400 PARAM_NOT_ALLOWED /data/attributes/nope ',
      '422 VALIDATION_ERROR /data/attributes/cart_url invalid',
      '422 VALIDATION_ERROR /data/attributes/number taken',
      '422 VALIDATION_ERROR /data/relationships/payment_method unavailable',
    ])
  })

  it('stock of a line whose other members are wrong', async () => {
    const order = linkTo('orders', 1)
    const line = { sku_code: 'SKU-A', quantity: 1000, reference: 7 }
    const response = await create('line_items', { attributes: line, relationships: { order } })
    expect(response.status).toBe(422)
    expect(violationsIn(response)).toEqual([
      '422 VALIDATION_ERROR /data/attributes/reference invalid',
      '422 VALIDATION_ERROR /data/attributes/quantity out_of_stock',
    ])
    const wrong = { ...line, sku_code: 'SKU-Z' }
    expect(violationsIn(await create('line_items', { attributes: wrong, relationships: { order } }))).toEqual(
      [
        '422 VALIDATION_ERROR /data/attributes/reference invalid',
        '422 VALIDATION_ERROR /data/attributes/sku_code not_found',
      ],
    )
  })

  it('the longest name of a tag, and the record of an attachment', async () => {
    await core.pool.query(`UPDATE environments SET settings = '{"tags_max_name_length": 5}' WHERE id = 1`)
    expect(violationsIn(await create('tags', { attributes: { name: 'summer', reference: 7 } }))).toEqual([
      '422 VALIDATION_ERROR /data/attributes/reference invalid',
      '422 VALIDATION_ERROR /data/attributes/name too_long',
    ])
    const attachable = { data: { type: 'skus', id: encodeId('skus', 4999) } }
    expect(
      violationsIn(await create('attachments', { attributes: {}, relationships: { attachable } })),
    ).toEqual([
      '422 VALIDATION_ERROR /data/attributes/name blank',
      '422 VALIDATION_ERROR /data/relationships/attachable noent',
    ])
  })
})

it('jobs: what they are refused for and what is wrong with their rows', async () => {
  expect(violationsIn(await create('imports', { attributes: { reference: 7, nope: 1 } }))).toEqual([
    '400 PARAM_NOT_ALLOWED /data/attributes/nope ',
    '422 VALIDATION_ERROR /data/attributes/resource_type blank',
    '422 VALIDATION_ERROR /data/attributes/inputs blank',
    '422 VALIDATION_ERROR /data/attributes/reference invalid',
  ])
  const asked = { resource_type: 'skus', filters: { code_nope: 'x' }, dry_data: 'x' }
  expect(violationsIn(await create('exports', { attributes: asked }))).toEqual([
    '422 VALIDATION_ERROR /data/attributes/filters invalid',
    '422 VALIDATION_ERROR /data/attributes/dry_data invalid',
  ])
  expect(await countOf('imports')).toBe(0)
})
