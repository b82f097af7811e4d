/** Imports of tax categories: which record an item means, by its SKU or by its code (ADR 104). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('tax_category_imports')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(`
    INSERT INTO tax_calculators (id, environment_id, type, name) VALUES
      (1, 1, 'manual_tax_calculators', 'VAT'), (2, 1, 'manual_tax_calculators', 'GST');
    INSERT INTO tax_categories (id, environment_id, code, sku_code, sku_id, tax_calculator_id) VALUES
      (1, 1, 'FOOD', 'SKU-A', 1, 1), (2, 1, 'BOOK', 'SKU-B', 2, 1), (3, 1, 'BOOK', 'SKU-C', 3, 1)`)
})
afterAll(() => core.close())

/** Into the first calculator. Returns the log of errors, and every category as code, SKU and reference. */
const importing = async (...inputs: readonly Body[]) => {
  const body = {
    data: {
      type: 'imports',
      attributes: {
        resource_type: 'tax_categories',
        parent_resource_id: encodeId('tax_calculators', 1),
        skip_errors: true,
        inputs,
      },
    },
  }
  const { id } = singleOf(await core.send('POST', '/api/imports', core.tokens.admin, body)).data
  await core.jobs.runUntilIdle()
  const job = singleOf(await core.get(`/api/imports/${id}`, core.tokens.admin)).data.attributes
  const { data } = listOf(await core.get('/api/tax_categories?sort=id', core.tokens.admin))
  const rows = data.map(({ attributes: { code, sku_code, reference } }) => [code, sku_code, reference])
  return { errors: Object.values(job['errors_log'] ?? {}), rows }
}

const FOOD = ['FOOD', 'SKU-A', null]
const BOOKS = [
  ['BOOK', 'SKU-B', null],
  ['BOOK', 'SKU-C', null],
]

test.each([
  ['a SKU gets another code', { sku_code: 'SKU-A', code: 'DRINK' }, [['DRINK', 'SKU-A', null], ...BOOKS]],
  ['a code gets another SKU', { sku_code: 'SKU-D', code: 'FOOD' }, [FOOD, ...BOOKS, ['FOOD', 'SKU-D', null]]],
  ['a code without a SKU is found', { code: 'FOOD', reference: 'r' }, [['FOOD', 'SKU-A', 'r'], ...BOOKS]],
])('%s', async (_case, item, rows) => {
  expect(await importing(item)).toEqual({ errors: [], rows })
})

test.each([
  ['a code of several SKUs', { code: 'BOOK' }, 'code', /several tax_categories; give the id/],
  ['a code of no SKU', { code: 'TOYS' }, 'sku', /can't be blank, unless sku_code is given/],
  ['an unknown SKU', { code: 'FOOD', sku_code: 'NONE' }, 'sku_code', /must be the code of an existing SKU/],
])('%s is refused', async (_case, item, member, message) => {
  const { errors, rows } = await importing(item)
  expect(errors).toEqual([{ [member]: [expect.stringMatching(message)] }])
  expect(rows).toEqual([FOOD, ...BOOKS])
})

test('the code of another calculator is another', async () => {
  const { rows } = await importing({
    code: 'FOOD',
    sku_code: 'SKU-A',
    tax_calculator_id: encodeId('tax_calculators', 2),
  })
  expect(rows).toEqual([FOOD, ...BOOKS, FOOD])
})
