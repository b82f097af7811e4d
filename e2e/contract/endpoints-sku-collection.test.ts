import { accessToken, connect, everyRecord, JSON_API } from '../support/connect.ts'
import { environment } from '../support/demo.ts'
import { expectCoreError } from '../support/expect-errors.ts'
import { catalogueOf, marketOf, sellableSkus } from '../support/sellable.ts'
import type { CollectionDocument } from '../support/wire.ts'

describe('SKU collection', () => {
  describe('Request headers: Accept: application/vnd.api+json; Authorization: Bearer <ACCESS_TOKEN>.', () => {
    test('with both it is a 200 of the same media type', async () => {
      const token = await accessToken('integration')
      const reply = await connect().core('skus', { token, headers: { Accept: JSON_API } })
      expect(reply.status).toBe(200)
      expect(reply.headers['content-type']).toMatch(/^application\/vnd\.api\+json/)
    })

    test.each([
      'text/html',
      'application/json',
      'application/vnd.api.v1+json',
      'application/vnd.api+json; version=2',
    ])('Accept: %s is a 406', async (accept) => {
      const token = await accessToken('integration')
      expectCoreError(
        await connect().core('skus', { token, headers: { Accept: accept } }),
        406,
        'NOT_ACCEPTABLE',
      )
    })

    test.each(['*/*', 'application/*', 'text/html, application/vnd.api+json', undefined])(
      'Accept: %s allows the media type',
      async (accept) => {
        const token = await accessToken('integration')
        expect((await connect().core('skus', { token, headers: { Accept: accept } })).status).toBe(200)
      },
    )

    test.each([undefined, '', 'Bearer', 'Basic abc', 'Bearer not.a.token'])(
      'Authorization: %s is a 401',
      async (authorization) => {
        const reply = await connect().core('skus', { headers: { Authorization: authorization } })
        expectCoreError(reply, 401, 'INVALID_TOKEN')
        expect(reply.headers['www-authenticate']).toMatch(/^Bearer/)
      },
    )
  })

  describe('Query parameters: page[number] (integer, default 1), page[size] (integer, default 10, maximum 25). The brackets must be percent-encoded on the wire (RFC 3986).', () => {
    const read = async (rawQuery: string) =>
      connect().core(`skus${rawQuery}`, { token: await accessToken('integration') })

    test('defaults: page 1 of size 10', async () => {
      const [bare, explicit] = [await read(''), await read('?page%5Bnumber%5D=1&page%5Bsize%5D=10')]
      expect(bare.json<CollectionDocument>().data).toHaveLength(10)
      expect(explicit.json<CollectionDocument>().data).toEqual(bare.json<CollectionDocument>().data)
    })

    test('size 25 is the maximum', async () => {
      expect((await read('?page%5Bsize%5D=25')).json<CollectionDocument>().data).toHaveLength(25)
      expectCoreError(await read('?page%5Bsize%5D=26'), 400, 'INVALID_PAGE_VALUE')
    })

    test('percent-encoded brackets in lower case mean the same', async () => {
      expect((await read('?page%5bsize%5d=3')).json<CollectionDocument>().data).toHaveLength(3)
    })

    test('every link of the answer has its brackets percent-encoded', async () => {
      const { links } = (await read('?page%5Bnumber%5D=2&page%5Bsize%5D=3')).json<CollectionDocument>()
      for (const link of Object.values(links)) {
        expect(link).toContain('page%5Bnumber%5D=')
        expect(link).toContain('page%5Bsize%5D=')
        expect(link).not.toMatch(/[[\]]/)
      }
    })

    test.each(['0', '-1', '1.5', 'x', '', '1e3', ' 1', '９', '99999999999999999999'])(
      'page[size] or page[number] = %p is a 400 that names the parameter',
      async (value) => {
        const encoded = encodeURIComponent(value)
        const size = expectCoreError(await read(`?page%5Bsize%5D=${encoded}`), 400, 'INVALID_PAGE_VALUE')
        expect(size.source?.parameter).toBe('page[size]')
        if (value === '99999999999999999999') return
        const number = expectCoreError(await read(`?page%5Bnumber%5D=${encoded}`), 400, 'INVALID_PAGE_VALUE')
        expect(number.source?.parameter).toBe('page[number]')
      },
    )

    test('an unknown member of page is a 400', async () => {
      expectCoreError(await read('?page%5Blimit%5D=5'), 400)
      expectCoreError(await read('?page=5'), 400)
    })

    test('a parameter given twice is refused, not guessed', async () => {
      expectCoreError(await read('?page%5Bsize%5D=5&page%5Bsize%5D=6'), 400)
    })
  })

  test('Response: the collection envelope above.', async () => {
    const token = await accessToken('integration')
    const document = await connect().collection('skus', { token, query: { 'page[number]': 2 } })
    expect(Object.keys(document).sort()).toEqual(['data', 'links', 'meta'])
    expect(Object.keys(document.meta).sort()).toEqual(['page_count', 'record_count'])
    expect(Object.keys(document.links).sort()).toEqual(['first', 'last', 'next', 'prev'])
  })

  describe('With a market in scope only SKUs sellable in that market are returned.', () => {
    test('every public market: records, record_count and order', async () => {
      const catalogue = await catalogueOf()
      for (const { id, code } of environment().markets.filter((market) => !market.private)) {
        const market = marketOf(catalogue, id)
        const expected = sellableSkus(catalogue, market.priceListId, market.stockLocationIds)
        for (const scope of [`market:id:${id}`, `market:code:${code}`]) {
          const token = await accessToken('sales_channel', { scope })
          const { data, recordCount } = await everyRecord('skus', { token, query: { sort: 'code' } })
          expect(recordCount).toBe(expected.length)
          expect(data.map((sku) => sku.id).toSorted()).toEqual(expected)
          const codes = data.map((sku) => String(sku.attributes['code']))
          expect(codes).toEqual(codes.toSorted())
        }
      }
    }, 180_000)

    test('a filter cannot reach behind the market', async () => {
      const catalogue = await catalogueOf()
      const [{ id } = { id: '' }] = environment().markets.filter((market) => !market.private)
      const market = marketOf(catalogue, id)
      const sellable = new Set(sellableSkus(catalogue, market.priceListId, market.stockLocationIds))
      const hidden = catalogue.skuIds.find((sku) => !sellable.has(sku)) ?? ''
      const token = await accessToken('sales_channel', { scope: `market:id:${id}` })
      const { meta } = await connect().collection('skus', { token, query: { 'filter[q][id_eq]': hidden } })
      expect(meta.record_count).toBe(0)
    })
  })
})
