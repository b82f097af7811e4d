/** Every address of every resource answers with documents of JSON:API 1.1 that are what OpenAPI says they are. */
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { includableNames } from '@merx/jsonapi/parse-include'
import { ajv } from '@merx/validation/ajv'
import { buildOpenApi } from '../../../src/api/openapi/build-openapi.ts'
import { areas } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { violationsOfDocument } from '../../support/json-api-document.ts'
import { openCore } from '../../support/open-core.ts'
import type { ResourceObject, TestCore } from '../../support/open-core.ts'

const registry = createRegistry(areas, { ids: testIds })
const served = registry.definitions.filter(({ isSingleton }) => !isSingleton)
const cases = served.map((definition) => [definition.type, definition] as const)

const openApi = JSON.parse(
  JSON.stringify(buildOpenApi(registry, '0.0.0')).replaceAll('#/components/schemas/', '#/$defs/'),
) as { readonly components: { readonly schemas: Readonly<Record<string, object>> } }
const { schemas } = openApi.components
/** Shared parts, without the resources themselves. */
const $defs = {
  to_one: schemas['to_one'],
  to_many: schemas['to_many'],
  resource_meta: schemas['resource_meta'],
}

const validators = new Map(
  Object.keys(schemas)
    .filter((name) => registry.find(name) !== undefined)
    .map((type) => [type, ajv.compile({ ...schemas[type], $defs })]),
)

let core: TestCore

beforeAll(async () => {
  core = await openCore('documents')
})
afterAll(() => core.close())

/** What is wrong with the answer to a GET; nothing that is asked here is refused. */
const faultsAt = async (path: string): Promise<readonly string[]> => {
  const response = await core.get(path, core.tokens.admin)
  if (response.status !== 200) return [`${path}: ${response.status} ${response.text}`]
  const document = response.body as { readonly data: unknown; readonly included?: readonly ResourceObject[] }
  const found = [
    ...(Array.isArray(document.data) ? (document.data as unknown[]) : [document.data]),
    ...(document.included ?? []),
  ]
  return [
    ...violationsOfDocument(document).map((fault) => `${path}: ${fault}`),
    ...found
      .filter(isResource)
      .flatMap((resource) => schemaViolations(resource).map((fault) => `${path}: ${fault}`)),
  ]
}

const isResource = (value: unknown): value is ResourceObject =>
  typeof value === 'object' && value !== null && 'attributes' in value

const schemaViolations = (resource: ResourceObject): readonly string[] => {
  const { type } = resource
  const validate = validators.get(type)
  if (validate === undefined) return [`${type} is not in the OpenAPI document`]
  if (validate(resource)) return []
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${type}${instancePath} ${message}`)
}

const firstId = async ({ table, type, memberOf }: ResourceDefinition): Promise<number | undefined> => {
  const family = memberOf === undefined ? undefined : registry.require(memberOf)
  const typeColumn = family?.table === table ? family.abstract?.typeColumn : undefined
  const { rows } = await core.pool.query<{ id: number }>(
    `SELECT min(id) AS id FROM ${table} WHERE environment_id = 1
      AND ${typeColumn === undefined ? 'true' : `${typeColumn} = '${type}'`}`,
  )
  return rows[0]?.id ?? undefined
}

describe.each(cases)('%s', (_type, definition) => {
  const include = includableNames(definition).join(',')

  it('lists, with everything included', async () => {
    if (!definition.operations.includes('list')) return
    for (const query of [
      '',
      `?include=${include}&page[size]=25`,
      '?page[number]=2&page[size]=1&sort=-id',
      '?page[number]=999',
    ]) {
      expect(await faultsAt(`/api/${definition.path}${query}`)).toEqual([])
    }
  })

  it('gives one, and what it is related to, as resources and as linkage', async () => {
    const number = await firstId(definition)
    if (number === undefined || definition.table === 'versions') return
    const path = `/api/${definition.path}/${encodeId(idTypeOf(definition), number)}`
    expect(await faultsAt(`${path}?include=${include}`)).toEqual([])
    for (const [name, { endpoint }] of Object.entries(definition.relationships)) {
      if (!endpoint || name === 'event_stores') continue
      expect(await faultsAt(`${path}/${name}`)).toEqual([])
      expect(await faultsAt(`${path}/relationships/${name}`)).toEqual([])
    }
  })

  it('answers wrong requests with errors of the same standard', async () => {
    for (const path of [
      `/api/${definition.path}/abcdefghij`,
      `/api/${definition.path}?filter[nope]=1&sort=nope&include=nope&page[size]=26&fields[nope]=a`,
      `/api/${definition.path}/abcdefghij/relationships/nope`,
    ]) {
      const { body, status } = await core.get(path, core.tokens.admin)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(violationsOfDocument(body)).toEqual([])
    }
  })
})

test.each(['/api/organization'])('%s', async (path) => {
  expect(await faultsAt(path)).toEqual([])
})

describe('GET /api/openapi.json', () => {
  it('gives the document to whoever has a token', async () => {
    const response = await core.get('/api/openapi.json', core.tokens.readOnly)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('application/vnd.oai.openapi+json;version=3.1')
    expect(response.body).toMatchObject({ openapi: '3.1.1', info: { title: 'Merx core' } })
  })

  it('asks for a token, and for GET', async () => {
    expect((await core.client.get('/api/openapi.json', {})).status).toBe(401)
    const response = await core.send('POST', '/api/openapi.json', core.tokens.admin, {})
    expect([response.status, response.headers['allow']]).toEqual([405, expect.stringContaining('GET')])
  })
})

describe('the validator of documents finds', () => {
  const resource = (id: string, more: object = {}) => ({ type: 'skus', id, attributes: {}, ...more })

  it.each([
    ['data and errors', { data: null, errors: [{ status: '400' }] }, /must NOT be valid/],
    ['a number as id', { data: { type: 'skus', id: 1, attributes: {} } }, /must be/],
    ['a status that is no text', { errors: [{ status: 400 }] }, /must be string/],
    ['an attribute called id', { data: resource('a', { attributes: { id: 1 } }) }, /property name/],
    ['a resource twice', { data: [resource('a'), resource('a', { meta: {} })] }, /is there twice/],
    ['what nothing links to', { data: resource('a'), included: [resource('b')] }, /is not linked/],
    [
      'linkage that leads nowhere',
      { data: resource('a', { relationships: { x: { data: { type: 'skus', id: 'c' } } } }), included: [] },
      /linked but not there/,
    ],
    [
      'one name for two fields',
      { data: resource('a', { attributes: { x: 1 }, relationships: { x: { data: null } } }) },
      /an attribute and a relationship "x"/,
    ],
  ])('%s', (_case, document, fault) => {
    expect(violationsOfDocument(document).join('; ')).toMatch(fault)
  })
})
