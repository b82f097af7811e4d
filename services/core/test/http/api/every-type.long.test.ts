/**
 * What every type that is listed must do, made from the definitions: each filter divides its rows into those with and without a
 * value, what is no filter is refused by its name, and an export writes every row that the list has.
 */
import { gunzipSync } from 'node:zlib'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { valueKindOf } from '@merx/jsonapi/predicates'
import { areas } from '../../../src/areas.ts'
import { isExportable } from '../../../src/bulk/exports/begin-export.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { fillTables } from '../../support/fill-tables.ts'
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

const registry = createRegistry(areas, { ids: testIds })
const listed = registry.definitions.filter(({ operations }) => operations.includes('list'))
const cases = listed.map((definition) => [definition.type, definition] as const)

let core: TestCore

beforeAll(async () => {
  core = await openCore('every_type')
  await fillTables(core.pool, registry.definitions)
})
afterAll(() => core.close())

const read = (definition: ResourceDefinition, key?: string, value?: string) => {
  const query = key === undefined ? '' : `?filter%5Bq%5D%5B${key}%5D=${String(value)}`
  return core.get(`/api/${definition.path}${query}`, core.tokens.admin)
}

const countOf = async (definition: ResourceDefinition, key?: string, value?: string): Promise<number> =>
  listOf(await read(definition, key, value)).meta.record_count

/** Names of attributes, and of relationships by their ids, that are filters, or that are none. */
const namesOf = ({ attributes, relationships }: ResourceDefinition, isFilter: boolean): readonly string[] => [
  ...Object.entries(attributes)
    .filter(([, { filter, kind }]) => (filter && valueKindOf(kind) !== undefined) === isFilter)
    .map(([name]) => name),
  ...Object.entries(relationships)
    .filter(([, { filter }]) => filter === isFilter)
    .map(([name]) => `${name}_id`),
]

/** Some are filters over another way, such as `market_id` of what has no relationship but reaches one. */
const isReached = (definition: ResourceDefinition, name: string): boolean =>
  Object.entries(definition.relationships).some(
    ([prefix, { filter }]) => filter && name.startsWith(`${prefix}_`),
  )

describe.each(cases)('%s', (type, definition) => {
  it('divides its rows by every filter into those with and without a value', async () => {
    const all = await countOf(definition)
    expect(all).toBeGreaterThan(0)
    const divided = await Promise.all(
      namesOf(definition, true).map(async (name) => {
        const [without, having] = [
          await countOf(definition, `${name}_null`, 'true'),
          await countOf(definition, `${name}_not_null`, 'true'),
        ]
        return [name, without + having]
      }),
    )
    expect(divided).toEqual(namesOf(definition, true).map((name) => [name, all]))
  })

  it('refuses what is no filter, and names what is', async () => {
    for (const name of namesOf(definition, false).filter((each) => !isReached(definition, each))) {
      const response = await read(definition, `${name}_null`, 'true')
      expect([name, response.status, errorsOf(response)[0]?.code]).toEqual([name, 400, 'FILTER_NOT_ALLOWED'])
      expect(errorsOf(response)[0]?.detail).toContain('allowed: id, ')
    }
  })

  it('takes its named filters', async () => {
    for (const name of Object.keys(definition.namedFilters))
      expect([name, (await read(definition, name, 'true')).status]).toEqual([name, 200])
  })

  if (isExportable(definition))
    it.each(['json', 'csv'])('is exported whole as %s', async (format) => {
      const all = await countOf(definition)
      const attributes = { resource_type: type, format }
      const body = { data: { type: 'exports', attributes } }
      const { id } = singleOf(await core.send('POST', '/api/exports', core.tokens.admin, body)).data
      await core.jobs.runUntilIdle()
      const job = singleOf(await core.get(`/api/exports/${id}`, core.tokens.admin)).data.attributes
      // The export has events of its own.
      const count = type === 'events' ? Number(job['records_count']) : all
      expect(count).toBeGreaterThanOrEqual(all)
      expect(job).toMatchObject({ status: 'completed', records_count: count, processed_count: count })
      const { rows } = await core.pool.query<{ content: Buffer }>(
        'SELECT content FROM export_parts WHERE export_id = $1 ORDER BY position',
        [testIds.decode('exports', id)],
      )
      const text = gunzipSync(Buffer.concat(rows.map(({ content }) => content))).toString()
      if (format === 'json') expect(JSON.parse(text)).toHaveLength(count)
      else expect(text.split('\n')[0]).toMatch(/^"?id"?,/)
    })
})

test('every type that is listed is exported, but for jobs', () => {
  expect(listed.filter((each) => !isExportable(each)).map(({ type }) => type)).toEqual([
    'cleanups',
    'exports',
    'imports',
  ])
})
