/** The OpenAPI document is valid, complete, and agrees with what the engine does. */
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { Validator } from '@seriousme/openapi-schema-validator'
import { areas } from '../../areas.ts'
import { createRegistry } from '../../engine/registry.ts'
import { buildOpenApi } from './build-openapi.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> }
}

interface SchemaObject {
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, SchemaObject>>
}

const registry = createRegistry(areas, { ids: testIds })
const built = buildOpenApi(registry, '1.2.3')
const document = JSON.parse(JSON.stringify(built)) as Document

test('is valid OpenAPI 3.1, references included', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)
  expect(result.errors ?? []).toEqual([])
  expect([result.valid, validator.version]).toEqual([true, '3.1'])
})

test('has an id of its own for every operation', () => {
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  )
  expect(ids.length).toBeGreaterThan(300)
  expect(new Set(ids).size).toBe(ids.length)
})

const METHODS = { list: 'get', create: 'post', retrieve: 'get', update: 'patch', delete: 'delete' } as const

test.each(
  registry.definitions
    .filter(({ isSingleton }) => !isSingleton)
    .map((definition) => [definition.type, definition] as const),
)('%s has exactly its operations', (type, { operations, path }) => {
  for (const [operation, method] of Object.entries(METHODS)) {
    const address = operation === 'list' || operation === 'create' ? `/api/${path}` : `/api/${path}/{id}`
    const isThere = document.paths[address]?.[method] !== undefined
    expect([type, operation, isThere]).toEqual([
      type,
      operation,
      (operations as readonly string[]).includes(operation),
    ])
  }
})

test('asks of a SKU what its definition requires, and shows amounts in three forms', () => {
  const { schemas } = document.components
  const data = schemas['skus_create']?.properties['data']
  expect(data?.required).toEqual(['type', 'attributes', 'relationships'])
  expect(data?.properties['attributes']?.required).toEqual(['code', 'name'])
  expect(data?.properties['relationships']?.required).toEqual(['shipping_category'])
  expect(schemas['skus_update']?.properties['data']?.required).toEqual(['type', 'id'])
  expect(schemas['prices']?.properties['attributes']?.properties).toMatchObject({
    amount_cents: { type: 'integer' },
    amount_float: { type: ['number', 'null'] },
    formatted_amount: { type: ['string', 'null'] },
  })
  expect(schemas['customers']?.properties['attributes']?.properties).not.toHaveProperty('password')
  expect(
    schemas['customers_create']?.properties['data']?.properties['attributes']?.properties['password'],
  ).toMatchObject({
    type: ['string', 'null'],
    minLength: 6,
    writeOnly: true,
  })
})

test('says what lists take', () => {
  const list = JSON.stringify(document.paths['/api/skus']?.['get'])
  expect(list).toContain('"-code"')
  expect(list).toContain('metadata: blank, jcont')
  expect(list).toContain('shipping_category, prices, stock_items')
})
