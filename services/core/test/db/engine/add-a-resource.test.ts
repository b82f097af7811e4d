/** docs/how-to/add-a-resource.md, followed step by step with the blocks of the page itself. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { buildOpenApi } from '../../../src/api/openapi/build-openapi.ts'
import { areas } from '../../../src/areas.ts'
import type { Area } from '../../../src/engine/area.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { migrationsFolder } from '../../../src/migrate.ts'
import { shipping } from '../../../src/shipping/area.ts'
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { parsePrismaModels } from '../support/prisma-models.ts'

const page = readFileSync(new URL('../../../../../docs/how-to/add-a-resource.md', import.meta.url), 'utf8')

/** The block of a language that mentions a text; the page has exactly one. */
const block = (language: string): string => {
  const found = [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, name]) => name === language)
  if (found.length !== 1)
    throw new Error(`the page must have one block in ${language}, it has ${found.length}`)
  return found[0]?.[2] ?? ''
}

const folders: string[] = []

const folderIn = (parent: string): string => {
  const folder = mkdtempSync(path.join(parent, 'how-to-'))
  folders.push(folder)
  return folder
}

/** Step 1: one migration, after those that there are. */
const withMigration = (): string => {
  const folder = folderIn(tmpdir())
  cpSync(migrationsFolder, folder, { recursive: true })
  const name = path.join(folder, '29991231000000_label_printers')
  mkdirSync(name)
  writeFileSync(path.join(name, 'migration.sql'), block('sql'))
  return folder
}

/** Step 3: one file, as if it were in the shipping area. */
const loadDefinition = async (): Promise<ResourceDefinition> => {
  const source = block('ts').replaceAll("from '../", "from '../../../../src/")
  const file = path.join(folderIn(import.meta.dirname), 'label-printers.ts')
  writeFileSync(file, source)
  const module = (await import(pathToFileURL(file).href)) as { readonly labelPrinters: ResourceDefinition }
  return module.labelPrinters
}

/** Step 4: one line in the shipping area. */
const withLine = (definition: ResourceDefinition): readonly Area[] =>
  areas.map((area) => {
    const others = area.resources.filter(({ type }) => type !== definition.type)
    return { ...area, resources: area === shipping ? [...others, definition] : others }
  })

let core: TestCore
let list: readonly Area[]

beforeAll(async () => {
  list = withLine(await loadDefinition())
  core = await openCore('add_a_resource', { areas: list }, {}, withMigration())
})
afterAll(async () => {
  await core.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const location = { stock_location: { data: { type: 'stock_locations', id: encodeId('stock_locations', 1) } } }

const create = (attributes: object, relationships: object = location, token = core.tokens.admin) =>
  core.send('POST', '/api/label_printers', token, {
    data: { type: 'label_printers', attributes, relationships },
  })

test('step 2: the model has the columns of the table', async () => {
  const { rows } = await core.pool.query<{ column_name: string; is_nullable: string }>(
    `SELECT column_name, is_nullable FROM information_schema.columns WHERE table_name = 'label_printers' ORDER BY 1`,
  )
  const [model] = parsePrismaModels(block('prisma'))
  expect(model?.name).toBe('labelPrinter')
  expect(model?.fields.map(({ column, isOptional }) => [column, isOptional]).sort()).toEqual(
    rows.map((row) => [row.column_name, row.is_nullable === 'YES']),
  )
})

test('it is created, validated and unique', async () => {
  const made = await create({ name: 'Large printer', code: 'L', metadata: { a: 1 } })
  expect(made.status).toBe(201)
  expect(singleOf(made).data.attributes).toMatchObject({ name: 'Large printer', code: 'L', reference: null })
  expect(errorsOf(await create({ code: 'L' }, {})).map(({ detail }) => detail)).toEqual([
    "name - can't be blank",
    "stock_location - can't be blank",
    'code - has already been taken',
  ])
})

test('it is listed, filtered, sorted, included and changed', async () => {
  await create({ name: 'Small printer', code: 'S' })
  const found = listOf(
    await core.get(
      '/api/label_printers?filter[q][stock_location_code_eq]=milano&sort=-name&include=stock_location&filter[q][code_eq]=S',
      core.tokens.admin,
    ),
  )
  const [box] = found.data
  expect([found.meta.record_count, box?.attributes['name']]).toEqual([1, 'Small printer'])
  expect(found.included?.[0]?.attributes['code']).toBe('milano')
  const address = `/api/label_printers/${box?.id ?? ''}`
  const attributes = { name: 'Smaller printer' }
  const body = { data: { type: 'label_printers', id: box?.id, attributes } }
  expect(singleOf(await core.send('PATCH', address, core.tokens.admin, body)).data.attributes).toMatchObject(
    attributes,
  )
  const versions = listOf(await core.get(`${address}/versions`, core.tokens.admin))
  expect(versions.data.map(({ attributes: { event } }) => event)).toEqual(['create', 'update'])
  expect((await core.send('DELETE', address, core.tokens.admin)).status).toBe(204)
  expect((await core.get(address, core.tokens.admin)).status).toBe(404)
})

test('its target cannot be deleted while it is there, and others see nothing of it', async () => {
  await create({ name: 'Stays' })
  const path = `/api/stock_locations/${encodeId('stock_locations', 1)}`
  expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(423)
  expect(listOf(await core.get('/api/label_printers', core.tokens.otherOrganization)).meta.record_count).toBe(
    0,
  )
  expect((await create({ name: 'No' }, location, core.tokens.readOnly)).status).toBe(401)
})

test('it is in the OpenAPI document', () => {
  const document = JSON.stringify(buildOpenApi(createRegistry(list, { ids: testIds }), '1.0.0'))
  for (const path of [
    '/api/label_printers',
    '/api/label_printers/{id}',
    '/api/label_printers/{id}/stock_location',
  ]) {
    expect(document).toContain(`"${path}"`)
  }
})
