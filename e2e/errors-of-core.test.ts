/** Queries and documents that are wrong in one place: core names what was wrong, where, and what is allowed. */
import { accessToken, connect } from './support/connect.ts'
import { expectCoreError, expectDecent } from './support/expect-errors.ts'
import type { JsonApiErrors } from './support/wire.ts'

const integration = () => accessToken('integration')

const core = async (path: string, request: Parameters<ReturnType<typeof connect>['core']>[1] = {}) =>
  connect().core(path, { token: await integration(), ...request })

describe('unknown and wrong parameters (core)', () => {
  const parameters: readonly (readonly [string, string, string])[] = [
    ['nothing=1', 'PARAM_NOT_ALLOWED', 'nothing'],
    ['page[offset]=1', '', 'offset'],
    ['filter=x', 'INVALID_FILTERS_SYNTAX', ''],
    ['filter[nothing]=x', 'FILTER_NOT_ALLOWED', 'nothing'],
    ['filter[q]=x', '', ''],
    ['filter[q][nothing_eq]=x', 'FILTER_NOT_ALLOWED', 'nothing'],
    ['filter[q][code_like]=x', 'FILTER_NOT_ALLOWED', 'code_like'],
    ['filter[q][code]=x', 'FILTER_NOT_ALLOWED', 'code'],
    ['filter[q][created_at_gt]=yesterday', 'INVALID_FILTER_VALUE', 'created_at_gt'],
    ['filter[q][created_at_gt]=2024-02-31', 'INVALID_FILTER_VALUE', 'created_at_gt'],
    ['filter[q][do_not_ship_eq]=maybe', 'INVALID_FILTER_VALUE', 'do_not_ship_eq'],
    ['filter[q][weight_gt]=1', 'FILTER_NOT_ALLOWED', 'weight_gt'],
    ['filter[q][code_null]=maybe', 'INVALID_FILTER_VALUE', 'code_null'],
    ['filter[q][shipping_category_nothing_eq]=x', 'FILTER_NOT_ALLOWED', 'shipping_category_nothing'],
    ['filter[q][code_eq][x]=1', '', ''],
    ['sort=nothing', 'INVALID_SORT_CRITERIA', 'nothing'],
    ['sort=metadata', 'INVALID_SORT_CRITERIA', 'metadata'],
    ['sort=--code', 'INVALID_SORT_CRITERIA', ''],
    ['sort=code, name', 'INVALID_SORT_CRITERIA', ''],
    ['sort[x]=code', '', ''],
    ['include=nothing', 'INVALID_INCLUDE', 'nothing'],
    ['include=prices.nothing', 'INVALID_INCLUDE', 'nothing'],
    ['include=code', 'INVALID_INCLUDE', 'code'],
    [`include=${'prices.sku.'.repeat(40)}prices`, '', ''],
    ['fields=code', 'INVALID_FIELD_FORMAT', ''],
    ['fields[skus]=nothing', 'INVALID_FIELD', 'nothing'],
    ['fields[nothing]=code', 'INVALID_RESOURCE', 'nothing'],
    ['fields[skus][x]=code', '', ''],
  ]

  test.each(parameters)('%s', async (raw, code, word) => {
    const text = encodeURI(raw).replaceAll('[', '%5B').replaceAll(']', '%5D')
    const error = expectCoreError(await core(`skus?${text}`), 400, code === '' ? undefined : code)
    if (word !== '') expect(`${error.detail} ${error.source?.parameter}`).toContain(word)
    expect(error.source?.parameter).toEqual(expect.any(String))
  })

  test('all violations of a query are returned at once', async () => {
    const reply = await core('skus?sort=nothing&include=nowhere&page%5Bsize%5D=99')
    expectCoreError(reply, 400)
    expect(reply.json<JsonApiErrors>().errors.length).toBeGreaterThanOrEqual(3)
  })

  test.each([
    ["' OR 1=1 --", 'eq'],
    ['%', 'cont'],
    ['_', 'cont'],
    ['\\', 'cont'],
    ['\u0000', 'eq'],
    ['\ud83d\ude00', 'cont'],
    ['x'.repeat(3_000), 'matches'],
  ])('a value that means something elsewhere is only a value: %j', async (value, predicate) => {
    const reply = await core('skus', { query: { [`filter[q][code_${predicate}]`]: value } })
    expect([200, 400]).toContain(reply.status)
    expectDecent(reply)
    if (reply.status === 200) {
      expect(reply.json<{ meta: { record_count: number } }>().meta.record_count).toBe(0)
    }
  })
})

describe('wrong documents (core)', () => {
  const documents: readonly (readonly [string, unknown, number])[] = [
    ['nothing in it', {}, 400],
    ['data null', { data: null }, 400],
    ['data a list', { data: [] }, 400],
    ['data a string', { data: 'x' }, 400],
    ['no type', { data: { attributes: { name: 'x' } } }, 400],
    ['another type', { data: { type: 'skus', attributes: { name: 'x' } } }, 400],
    ['attributes a list', { data: { type: 'customer_groups', attributes: [] } }, 400],
    [
      'an unknown attribute',
      { data: { type: 'customer_groups', attributes: { name: 'x', nothing: 1 } } },
      400,
    ],
    [
      'an attribute that cannot be written',
      { data: { type: 'customer_groups', attributes: { name: 'x', created_at: 'now' } } },
      400,
    ],
    [
      'an unknown relationship',
      {
        data: {
          type: 'customer_groups',
          attributes: { name: 'x' },
          relationships: { nothing: { data: null } },
        },
      },
      400,
    ],
    ['no name', { data: { type: 'customer_groups', attributes: {} } }, 422],
    ['name null', { data: { type: 'customer_groups', attributes: { name: null } } }, 422],
    ['name a number', { data: { type: 'customer_groups', attributes: { name: 12 } } }, 422],
    ['name a list', { data: { type: 'customer_groups', attributes: { name: ['x'] } } }, 422],
    [
      'a very long name',
      { data: { type: 'customer_groups', attributes: { name: 'x'.repeat(100_000) } } },
      422,
    ],
    ['a NUL in the name', { data: { type: 'customer_groups', attributes: { name: 'a\u0000b' } } }, 400],
    [
      'metadata a string',
      { data: { type: 'customer_groups', attributes: { name: 'x', metadata: 'y' } } },
      422,
    ],
  ]

  test.each(documents)('%s', async (_name, body, status) => {
    const reply = await core('customer_groups', { method: 'POST', body })
    const error = expectCoreError(reply, status)
    if (status === 422) expect(error.source?.pointer).toMatch(/^\/data/)
  })

  test('a relationship to nothing, of another type or of another shape', async () => {
    for (const data of [
      { type: 'shipping_categories', id: 'aaaaaaaaaa' },
      { type: 'markets', id: 'aaaaaaaaaa' },
      'x',
      [],
      { id: 'x' },
    ]) {
      const relationships = { shipping_category: { data } }
      const body = {
        data: { type: 'skus', attributes: { code: `E${Date.now()}`, name: 'x' }, relationships },
      }
      const reply = await core('skus', { method: 'POST', body })
      expect([400, 404, 422]).toContain(reply.status)
      expectCoreError(reply, reply.status)
    }
  })

  test('PATCH: the id of the body must be that of the address', async () => {
    const { data } = await connect().collection('customer_groups', { token: await integration() })
    const id = data[0]?.id ?? ''
    const patch = (document: unknown) => core(`customer_groups/${id}`, { method: 'PATCH', body: document })
    const other = { data: { type: 'customer_groups', id: 'aaaaaaaaaa', attributes: {} } }
    expectCoreError(await patch(other), 400, 'KEY_NOT_INCLUDED_IN_URL')
    expectCoreError(
      await patch({ data: { type: 'customer_groups', attributes: {} } }),
      400,
      'KEY_ORDER_MISMATCH',
    )
  })

  test('a code that is taken is a 422 or 409 that names it', async () => {
    const { data } = await connect().collection('skus', {
      token: await integration(),
      query: { include: 'shipping_category' },
    })
    const [sku] = data
    const relationships = { shipping_category: sku?.relationships?.['shipping_category'] }
    const attributes = { code: sku?.attributes['code'], name: 'Twin' }
    const reply = await core('skus', {
      method: 'POST',
      body: { data: { type: 'skus', attributes, relationships } },
    })
    expect([409, 422]).toContain(reply.status)
    const error = expectCoreError(reply, reply.status)
    expect(error.detail).toContain('code')
  })
})
