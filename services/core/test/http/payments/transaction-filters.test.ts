/** Filters of transactions by whether they succeeded, as shop fronts and the vendor's clients send them. */
import { errorsOf, listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { paymentCalls } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('transaction_filters')
  await reseedShop(core.pool)
  await freeShipping()
  await move(await payable(), '_place', '_approve_and_capture')
})
afterAll(() => core.close())

const { freeShipping, payable, move } = paymentCalls(() => core)

describe('lists of transactions', () => {
  it.each([
    ['authorizations', '[q][succeeded]=true', 1],
    ['authorizations', '[q][succeeded]=false', 0],
    ['authorizations', '[q][succeeded_eq]=true', 1],
    ['authorizations', '[q][succeeded_true]=true', 1],
    ['authorizations', '[succeeded]=true', 1],
    ['captures', '[q][succeeded]=true', 1],
    ['captures', '[q][succeeded]=0', 0],
    ['voids', '[q][succeeded]=true', 0],
    ['refunds', '[q][succeeded]=true', 0],
    ['transactions', '[q][succeeded]=t', 2],
    ['transactions', '[q][succeeded]=false', 0],
  ])('of %s: filter%s finds %i', async (type, filter, count) => {
    const [, key = '', value = ''] = /^(.+)=(.+)$/.exec(filter) ?? []
    const { meta } = listOf(
      await core.get(`/api/${type}?filter${encodeURI(key)}=${value}`, core.tokens.admin),
    )
    expect(meta.record_count).toBe(count)
  })

  it('refuse a value that is neither true nor false', async () => {
    const response = await core.get('/api/captures?filter%5Bq%5D%5Bsucceeded%5D=yes', core.tokens.admin)
    expect([response.status, errorsOf(response)[0]?.code, errorsOf(response)[0]?.detail]).toEqual([
      400,
      'INVALID_FILTER_VALUE',
      '"filter[q][succeeded]" needs true or false',
    ])
  })
})
