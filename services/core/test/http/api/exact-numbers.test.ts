/** Numbers of documents and imports: kept as sent, or refused; never another one. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop, SKUS } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('exact_numbers')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const sku = encodeId('skus', SKUS.A)

/** The texts of numbers as they are: a number of ours would not be what was meant. */
const patchSku = (attributes: string) =>
  core.send(
    'PATCH',
    `/api/skus/${sku}`,
    core.tokens.admin,
    `{"data":{"type":"skus","id":"${sku}","attributes":${attributes}}}`,
  )

const seen = (response: Parameters<typeof errorsOf>[0]) => [
  response.status,
  errorsOf(response).map(({ source, detail, meta }) => [source?.pointer, detail, meta]),
]

const LOST = ['1e500', '-1e500', '1e-400', '12345678901234567890', '9007199254740993']

const INTEGERS = 'must be an integer from -9007199254740991 to 9007199254740991'

describe('free JSON', () => {
  it.each(LOST)('refuses %s, naming its key and what is allowed', async (text) => {
    expect(seen(await patchSku(`{"metadata":{"limits":[1,{"most":${text}}]}}`))).toEqual([
      422,
      [
        [
          '/data/attributes/metadata',
          expect.stringMatching(
            /^metadata - holds a number at \/limits\/1\/most that would not be kept as sent: allowed are 0, sizes from 5e-324/,
          ),
          { error: 'invalid' },
        ],
      ],
    ])
  })

  it('keeps all others, and texts that look like those', async () => {
    const metadata = '{"a":0.1,"b":19.99,"c":9007199254740991,"d":-1.5e-7,"e":1e23,"f":"a, 1e500","g":0}'
    const response = await patchSku(`{"metadata":${metadata}}`)
    expect(response.status).toBe(200)
    expect(singleOf(response).data.attributes['metadata']).toEqual(JSON.parse(metadata))
    const { data } = singleOf(await core.get(`/api/skus/${sku}`, core.tokens.admin))
    expect(data.attributes['metadata']).toEqual(JSON.parse(metadata))
  })
})

describe('numeric attributes', () => {
  it.each(LOST)('refuse %s as an integer', async (text) => {
    expect(seen(await patchSku(`{"pieces_per_pack":${text}}`))).toEqual([
      422,
      [['/data/attributes/pieces_per_pack', `pieces_per_pack - ${INTEGERS}`, { error: 'not_an_integer' }]],
    ])
  })

  it.each(LOST)('refuse %s as a fraction', async (text) => {
    expect(seen(await patchSku(`{"weight":${text}}`))).toEqual([
      422,
      [
        [
          '/data/attributes/weight',
          expect.stringMatching(/^weight - is a number that would not be kept as sent: allowed are 0, /),
          { error: 'not_a_number' },
        ],
      ],
    ])
  })

  it.each(LOST)('refuse %s as an amount', async (text) => {
    const id = encodeId('prices', 1)
    const body = `{"data":{"type":"prices","id":"${id}","attributes":{"amount_cents":${text}}}}`
    const response = await core.send('PATCH', `/api/prices/${id}`, core.tokens.admin, body)
    expect(seen(response)).toEqual([
      422,
      [['/data/attributes/amount_cents', `amount_cents - ${INTEGERS}`, { error: 'not_an_integer' }]],
    ])
  })
})

describe('imports', () => {
  const importOf = (members: string) =>
    core.send(
      'POST',
      '/api/imports',
      core.tokens.admin,
      `{"data":{"type":"imports","attributes":{"resource_type":"skus","skip_errors":true,${members}}}}`,
    )

  it.each(LOST)('refuse %s in an item, naming both', async (text) => {
    const response = await importOf(`"inputs":[{"code":"A"},{"code":"B","metadata":{"a":${text}}}]`)
    expect(seen(response)).toEqual([
      422,
      [
        [
          '/data/attributes/inputs',
          expect.stringMatching(/^inputs - item 2 holds a number at \/metadata\/a that would not be kept/),
          { error: 'invalid' },
        ],
      ],
    ])
  })

  it.each(LOST)('log %s in a cell as an error of its item', async (text) => {
    const lines = ['code,weight,pieces_per_pack,metadata', `SKU-A,${text},${text},"{""a"":${text}}"`]
    const response = await importOf(`"format":"csv","inputs":${JSON.stringify(lines.join('\n'))}`)
    expect(response.status).toBe(201)
    await core.jobs.runUntilIdle()
    const { data } = singleOf(await core.get(`/api/imports/${singleOf(response).data.id}`, core.tokens.admin))
    expect(data.attributes['errors_log']).toEqual({
      'SKU-A': {
        weight: [expect.stringContaining('would not be kept as sent')],
        pieces_per_pack: [INTEGERS],
        metadata: [expect.stringContaining('holds a number at /a that')],
      },
    })
  })
})
