import { accessToken, connect, everyRecord } from '../support/connect.ts'
import { demo } from '../support/demo.ts'
import type { CollectionDocument } from '../support/wire.ts'

const RESOURCES = ['skus', 'prices', 'markets', 'orders']

const page = async (number: number, size: number, resource = 'skus'): Promise<CollectionDocument> => {
  const token = await accessToken('integration')
  return connect().collection(resource, { token, query: { 'page[number]': number, 'page[size]': size } })
}

const pageOf = (url: string | undefined) => {
  if (url === undefined) throw new Error('there is no such link')
  const { searchParams } = new URL(url)
  return { number: Number(searchParams.get('page[number]')), size: Number(searchParams.get('page[size]')) }
}

const follow = async (url: string | undefined): Promise<CollectionDocument> => {
  if (url === undefined) throw new Error('there is no such link')
  const reply = await connect().core(url, { token: await accessToken('integration') })
  return reply.json<CollectionDocument>()
}

const idsOf = (document: CollectionDocument) => document.data.map((record) => record.id)

describe('Collection response envelope (core interface)', () => {
  describe('data · array · the records of the requested page', () => {
    test('pages partition the collection: nothing missing, nothing twice, default order stable', async () => {
      const token = await accessToken('integration')
      const { data, recordCount } = await everyRecord('markets', { token })
      const ids = data.map((record) => record.id)
      expect(new Set(ids).size).toBe(recordCount)
      const two = await page(2, 2, 'markets')
      expect(idsOf(two)).toEqual(ids.slice(2, 4))
    })

    test('every SKU appears on exactly one page', async () => {
      const token = await accessToken('integration')
      const { data, recordCount } = await everyRecord('skus', { token })
      expect(data).toHaveLength(recordCount)
      expect(new Set(data.map((record) => record.id)).size).toBe(recordCount)
    })

    test('a page beyond the last is an empty array', async () => {
      expect((await page(100_000, 25)).data).toEqual([])
    })
  })

  describe('meta.record_count · integer · total number of records', () => {
    test.each(RESOURCES)('%s: the same whatever the page', async (resource) => {
      const [one, two] = [await page(1, 1, resource), await page(2, 1, resource)]
      expect(Number.isInteger(one.meta.record_count)).toBe(true)
      expect(two.meta.record_count).toBe(one.meta.record_count)
    })

    test('counts what a filter leaves', async () => {
      const token = await accessToken('integration')
      const [sku] = (await page(1, 1)).data
      const query = { 'filter[q][code_eq]': String(sku?.attributes['code']) }
      expect((await connect().collection('skus', { token, query })).meta.record_count).toBe(1)
    })
  })

  describe('meta.page_count · integer · total number of pages', () => {
    test.each(RESOURCES)('%s: record_count divided by the page size, rounded up', async (resource) => {
      for (const size of [1, 7, 25]) {
        const { meta } = await page(1, size, resource)
        expect(meta.page_count).toBe(Math.ceil(meta.record_count / size))
      }
    })
  })

  describe('links.first · string (URL) · first page, with page[number] and page[size] query parameters', () => {
    test('is an absolute URL of this service with both parameters', async () => {
      const { links } = await page(3, 5)
      expect(pageOf(links.first)).toEqual({ number: 1, size: 5 })
      expect(links.first.startsWith(`${demo().base_url}/api/skus`)).toBe(true)
      expect(idsOf(await follow(links.first))).toEqual(idsOf(await page(1, 5)))
    })

    test('keeps filter, sort, include and fields of the request', async () => {
      const token = await accessToken('integration')
      const kept = {
        'filter[q][code_present]': 'true',
        sort: '-code',
        include: 'prices',
        'fields[skus]': 'code,prices',
      }
      const { links } = await connect().collection('skus', { token, query: kept })
      const { searchParams } = new URL(links.first)
      for (const [name, value] of Object.entries(kept)) expect(searchParams.get(name)).toBe(value)
    })
  })

  describe('links.prev · string (URL) · previous page; absent on page 1', () => {
    test('absent on page 1', async () => {
      expect((await page(1, 5)).links).not.toHaveProperty('prev')
    })

    test('leads to the page before', async () => {
      const { links } = await page(3, 5)
      expect(pageOf(links.prev)).toEqual({ number: 2, size: 5 })
      expect(idsOf(await follow(links.prev))).toEqual(idsOf(await page(2, 5)))
    })
  })

  describe('links.next · string (URL) · next page', () => {
    test('leads to the page after', async () => {
      const { links } = await page(1, 5)
      expect(pageOf(links.next)).toEqual({ number: 2, size: 5 })
      expect(idsOf(await follow(links.next))).toEqual(idsOf(await page(2, 5)))
    })

    test('absent on the last page', async () => {
      const { meta } = await page(1, 25)
      expect((await page(meta.page_count, 25)).links).not.toHaveProperty('next')
    })
  })

  describe('links.last · string (URL) · last page', () => {
    test('leads to the page numbered page_count', async () => {
      const { links, meta } = await page(1, 25)
      expect(pageOf(links.last)).toEqual({ number: meta.page_count, size: 25 })
      const last = await follow(links.last)
      expect(last.data).toHaveLength(meta.record_count - 25 * (meta.page_count - 1))
    })

    test('page 1 when nothing matches', async () => {
      const token = await accessToken('integration')
      const query = { 'filter[q][code_eq]': 'no such code' }
      const { data, meta, links } = await connect().collection('skus', { token, query })
      expect({ data, count: meta.record_count }).toEqual({ data: [], count: 0 })
      expect(pageOf(links.last)).toEqual({ number: 1, size: 10 })
    })
  })
})
