/** Whatever a token asks, it never sees, counts, filters by or reaches a row of another environment. */
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { includableNames } from '@merx/jsonapi/parse-include'
import { createRegistry } from '@merx/jsonapi/registry'
import { resources } from '../../src/resources/index.ts'
import { listOf, openCore } from '../support/open-core.ts'
import type { ResourceObject, TestCore } from '../support/open-core.ts'

const registry = createRegistry(resources, { ids: testIds })
const collections = registry.definitions.filter(({ operations }) => operations.includes('list'))
const cases = collections.map((definition) => [definition.type, definition] as const)

let core: TestCore

beforeAll(async () => {
  core = await openCore('isolation')
})
afterAll(() => core.close())

/** Numbers of the other organization begin here, see seedShop. */
const SHIFT = 1000

const ownIds = async ({ table }: ResourceDefinition): Promise<readonly number[]> => {
  const { rows } = await core.pool.query<{ id: number }>(
    `SELECT id FROM ${table} WHERE environment_id = 1 ORDER BY id`,
  )
  return rows.map(({ id }) => id)
}

const allIds = (resourcesOfPage: readonly ResourceObject[] = []): readonly string[] =>
  resourcesOfPage.map(({ id, type }) => `${type}/${id}`)

const listEverything = async (definition: ResourceDefinition, token: string) => {
  const include = includableNames(definition).join(',')
  return listOf(await core.get(`/api/${definition.path}?page[size]=25&include=${include}`, token))
}

describe.each(cases)('%s', (_type, definition) => {
  it('lists, counts and includes rows of the own environment only', async () => {
    const mine = await listEverything(definition, core.tokens.admin)
    const theirs = await listEverything(definition, core.tokens.otherOrganization)
    expect(mine.meta.record_count).toBe((await ownIds(definition)).length)
    expect(mine.meta.record_count).toBe(theirs.meta.record_count)
    const seen = new Set([...allIds(mine.data), ...allIds(mine.included)])
    for (const id of [...allIds(theirs.data), ...allIds(theirs.included)]) expect(seen.has(id)).toBe(false)
  })

  it('lists nothing in the other mode', async () => {
    const body = await listEverything(definition, core.tokens.live)
    expect([body.data, body.meta.record_count, body.included]).toEqual([
      [],
      0,
      body.included === undefined ? undefined : [],
    ])
  })

  it('answers 404 for every address of a foreign row', async () => {
    const [first = 1] = await ownIds(definition)
    const foreign = encodeId(idTypeOf(definition), first + SHIFT)
    const paths = [
      '',
      ...Object.keys(definition.relationships).flatMap((name) => [`/${name}`, `/relationships/${name}`]),
    ]
    for (const path of paths) {
      expect((await core.get(`/api/${definition.path}/${foreign}${path}`, core.tokens.admin)).status).toBe(
        404,
      )
      expect(
        (
          await core.get(
            `/api/${definition.path}/${encodeId(idTypeOf(definition), first)}${path}`,
            core.tokens.live,
          )
        ).status,
      ).toBe(404)
    }
  })

  it('finds nothing by a foreign id, own or of a relationship', async () => {
    const [first = 1] = await ownIds(definition)
    const foreign = (type: string, number: number) =>
      encodeId(idTypeOf(registry.require(type)), number + SHIFT)
    const queries = [
      `filter[q][id_eq]=${foreign(definition.type, first)}`,
      ...Object.entries(definition.relationships).flatMap(([name, relationship]) =>
        relationship.filter && relationship.kind !== 'polymorphicToOne'
          ? [1, 2, 3].map((number) => `filter[q][${name}_id_eq]=${foreign(relationship.target, number)}`)
          : [],
      ),
    ]
    for (const query of queries) {
      expect(
        listOf(await core.get(`/api/${definition.path}?${query}`, core.tokens.admin)).meta.record_count,
      ).toBe(0)
    }
  })

  it('changes and deletes no foreign row', async () => {
    const [first = 1] = await ownIds(definition)
    const id = encodeId(idTypeOf(definition), first + SHIFT)
    const path = `/api/${definition.path}/${id}`
    const { table } = definition
    const rows = async () =>
      (
        await core.pool.query<Record<string, unknown>>(
          `SELECT * FROM ${table} WHERE environment_id = 3 ORDER BY id`,
        )
      ).rows
    const before = await rows()
    const body = { data: { type: definition.type, id, attributes: { reference: 'stolen' } } }
    for (const response of [
      await core.send('PATCH', path, core.tokens.admin, body),
      await core.send('DELETE', path, core.tokens.admin),
    ]) {
      expect([404, 405]).toContain(response.status)
    }
    expect(await rows()).toEqual(before)
  })
})
