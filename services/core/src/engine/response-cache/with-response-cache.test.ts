import type { Caller } from '@merx/access-token/caller'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { areas } from '../../areas.ts'
import { createRegistry } from '../registry.ts'
import type { KeyedRequest } from './response-key.ts'
import { createResponseCache, withResponseCache } from './with-response-cache.ts'

const registry = createRegistry(areas, { ids: testIds })

const guest: Caller = {
  tokenId: '6f1c2b9e-1f43-4f6e-9d57-6d5d3f7b2c11',
  organization: { id: 'enWoxFMOnp', slug: 'brand' },
  mode: 'test',
  application: { id: 'a', clientId: 'c', kind: 'sales_channel', isPublic: true, isConfidential: false },
  scope: '',
  expiresAt: new Date('2026-11-20T12:00:00Z'),
}

const market = { id: 1, priceListId: 2, currencyCode: 'EUR', stockLocationIds: [3] }
const scope = { environmentId: 7, organizationId: 'enWoxFMOnp', mode: 'test', markets: [market] } as const
const asked: KeyedRequest = {
  caller: guest,
  scope: { ...scope },
  baseUrl: 'https://shop.example.com',
  query: 'sort=-id',
  dataVersion: { number: 1 },
}

/** A handler that counts how often it reads. */
const open = (type = 'skus', maxBytes?: number) => {
  const counted: boolean[] = []
  let reads = 0
  const cache = createResponseCache((isHit) => counted.push(isHit), maxBytes)
  const definition = registry.require(type)
  const read = withResponseCache(
    async (request: KeyedRequest) => {
      reads += 1
      return { query: parseListQuery(request.query, definition, registry), body: Buffer.from(`${reads}`) }
    },
    definition,
    { registry, cache },
  )
  return { counted, read: async (request: KeyedRequest) => (await read(request)).toString() }
}

describe('withResponseCache', () => {
  it('repeats a response to the same request at the same data version', async () => {
    const { read, counted } = open()
    expect([await read(asked), await read({ ...asked, scope: { ...scope } })]).toEqual(['1', '1'])
    expect(counted).toEqual([false, true])
  })

  it.each<[string, Partial<KeyedRequest>]>([
    ['data version', { dataVersion: { number: 2 } }],
    ['query', { query: 'sort=id' }],
    ['address', { baseUrl: 'https://other.example.com' }],
    ['market', { scope: { ...scope, markets: [{ ...market, priceListId: 9 }] } }],
    ['environment', { scope: { ...scope, environmentId: 8 } }],
    ['claim', { scope: { ...scope }, caller: { ...guest, customClaim: { tier: 'gold' } } }],
    [
      'kind of client',
      {
        scope: { ...scope },
        caller: { ...guest, application: { ...guest.application, isConfidential: true } },
      },
    ],
  ])('reads for another %s', async (_title, more) => {
    const { read } = open()
    expect([await read(asked), await read({ ...asked, ...more })]).toEqual(['1', '2'])
  })

  it.each<[string, Partial<KeyedRequest>, string]>([
    ['has no data version', { dataVersion: undefined }, 'skus'],
    [
      'has a custom role',
      { caller: { ...guest, role: { id: 'r', kind: 'custom', permissions: [] } } },
      'skus',
    ],
    [
      'is restricted',
      { scope: { ...scope, restrictions: { skus: { rows: { read: { code_eq: 'A' } } } } } },
      'skus',
    ],
    ['includes other types', { query: 'include=prices' }, 'skus'],
    ['filters through a relationship', { query: 'filter[q][prices_amount_cents_gt]=1' }, 'skus'],
    ['lists another type', { query: '' }, 'prices'],
  ])('reads each time when the request %s', async (_title, more, type) => {
    const { read, counted } = open(type)
    const request = { ...asked, ...more }
    expect([await read(request), await read(request)]).toEqual(['1', '2'])
    expect(counted).toEqual([false, false])
  })

  it('evicts the least recently used responses when it is full', async () => {
    const { read } = open('skus', 1_000)
    const queries = Array.from({ length: 4 }, (_, index) => ({
      ...asked,
      query: `page[number]=${index + 1}`,
    }))
    for (const request of queries) await read(request)
    const last = queries.at(-1) ?? asked
    expect([await read(last), await read(queries[0] ?? asked)]).toEqual(['4', '5'])
  })
})
