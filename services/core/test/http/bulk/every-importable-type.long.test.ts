/**
 * Every type that can be imported: of a good and a faulty item the good one is stored and the fault is named, and what an export
 * writes of it, in either format, is imported again as it was, here and in another organization.
 */
import { gunzipSync } from 'node:zlib'
import { idTypeOf } from '@merx/jsonapi/columns'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { mayWrite } from '@merx/jsonapi/writable-members'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { areas } from '../../../src/areas.ts'
import { IMPORTABLE } from '../../../src/bulk/imports/importable.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { OTHER_SHOP_SHIFT, reseedShop, seedBothShops } from '../../support/seed-shop.ts'
import { IMPORT_CASES, MORE_OF_SHOP } from '../support/import-cases.ts'
import type { ImportCase, Item } from '../support/import-cases.ts'

/** The one that is looked for, with what every type has. */
const REFERENCE = 'imported'
const COMMON = {
  reference: REFERENCE,
  reference_origin: 'a file',
  metadata: { a: [1, '1'], b: { c: '=1+1' } },
}

/** Members of a new record that an import can write and no item has, and why. */
const NOT_FILLED: Readonly<Record<string, string>> = {
  'customer_payment_sources.payment_source_id': 'made for an order, which pays with it',
  'customers.password': 'never shown',
  'line_items.bundle_code': 'a line has one article',
  'orders.cancelled_at': 'the order is approved',
  'orders.customer_password': 'never shown',
  'orders.gift_card_or_coupon_code': 'one of the two codes, which the item has',
  'orders.payment_source_id': 'made for an order',
  'stock_transfers.line_item_id': 'of a shipment',
  'stock_transfers.shipment_id': 'made by an order',
}

const registry = createRegistry(areas, { ids: testIds })

let core: TestCore

beforeAll(async () => {
  core = await openCore('every_importable_type')
})
afterAll(() => core.close())

interface ExportShape {
  readonly includes?: readonly string[]
  readonly fields?: readonly string[]
}

/** One of the two organizations. */
const shopOf = (token: string) => {
  const run = async (type: 'imports' | 'exports', attributes: Item) => {
    const body = { data: { type, attributes } }
    const { id: job } = singleOf(await core.send('POST', `/api/${type}`, token, body)).data
    await core.jobs.runUntilIdle()
    return singleOf(await core.get(`/api/${type}/${job}`, token)).data
  }
  return {
    run,
    /** The only record with the reference. */
    find: async (type: string) => {
      const path = `/api/${registry.require(type).path}`
      const { data } = listOf(await core.get(`${path}?filter%5Bq%5D%5Breference_eq%5D=${REFERENCE}`, token))
      expect(data).toHaveLength(1)
      return singleOf(await core.get(`${path}/${String(data[0]?.id)}`, token)).data
    },
    /** The same record, as an export in the format writes it. */
    exported: async (type: string, format: string, shape: ExportShape = {}): Promise<string> => {
      const filters = { reference_eq: REFERENCE }
      const job = await run('exports', { resource_type: type, format, filters, dry_data: true, ...shape })
      expect(job.attributes).toMatchObject({ status: 'completed', records_count: 1 })
      const { rows } = await core.pool.query<{ content: Buffer }>(
        'SELECT content FROM export_parts WHERE export_id = $1 ORDER BY position',
        [testIds.decode('exports', job.id)],
      )
      return gunzipSync(Buffer.concat(rows.map(({ content }) => content))).toString()
    },
    importFile: async (type: string, format: string, text: string): Promise<Item> => {
      const inputs: unknown = format === 'csv' ? text : JSON.parse(text)
      return (await run('imports', { resource_type: type, format, inputs })).attributes
    },
  }
}

/** The token of an order is never given again. */
const recordsOf = (text: string): unknown =>
  (JSON.parse(text) as Item[]).map((record) => ({ ...record, token: undefined }))

const lastingOf = ({ attributes }: { readonly attributes: Item }): Item => ({
  ...attributes,
  token: undefined,
  created_at: undefined,
  updated_at: undefined,
})

/** The file with the ids of what the other organization has in place of what it refers to here. */
const inOtherShop = (type: string, format: string, text: string): string => {
  const records = format === 'csv' ? parse<Item>(text, { columns: true }) : (JSON.parse(text) as Item[])
  const moved = records.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, idInOtherShop(type, record, name, value)]),
    ),
  )
  return format === 'csv' ? stringify(moved, { header: true }) : JSON.stringify(moved)
}

const idInOtherShop = (type: string, record: Item, name: string, value: unknown): unknown => {
  const relationship = registry.require(type).relationships[name.replace(/_id$/, '')]
  if (!name.endsWith('_id') || relationship === undefined || typeof value !== 'string' || value === '')
    return value
  const target =
    relationship.kind === 'polymorphicToOne' ? record[name.replace(/_id$/, '_type')] : relationship.target
  const number = testIds.decode(idTypeOf(registry.require(String(target))), value)
  return encodeId(idTypeOf(registry.require(String(target))), Number(number) + OTHER_SHOP_SHIFT)
}

test('every type that can be imported is here', () => {
  expect(Object.keys(IMPORT_CASES).toSorted()).toEqual(IMPORTABLE.map(({ type }) => type).toSorted())
})

test('every member that an import can write is in an item, or is known to be missing', () => {
  const missing = IMPORTABLE.flatMap(({ type, parent }) => {
    const { attributes, relationships } = registry.require(type)
    const item = { ...IMPORT_CASES[type]?.good, ...COMMON }
    const names = [
      ...Object.entries(attributes).flatMap(([name, { kind, write, imported }]) =>
        kind !== 'trigger' && (mayWrite(write, 'create') || imported === true) ? [name] : [],
      ),
      ...Object.entries(relationships).flatMap(([name, { kind, write }]) =>
        kind !== 'toMany' && mayWrite(write, 'create') && name !== parent ? [`${name}_id`] : [],
      ),
    ]
    return names.filter((name) => !(name in item)).map((name) => `${type}.${name}`)
  })
  expect(missing.toSorted()).toEqual(Object.keys(NOT_FILLED).toSorted())
})

/** The two shops as they were seeded. */
const reset = async (): Promise<void> => {
  await reseedShop(core.pool)
  await seedBothShops(core.pool, MORE_OF_SHOP)
}

const parentOf = ({ parent }: ImportCase): Item =>
  parent === undefined ? {} : { parent_resource_id: encodeId(...parent) }

const completed = { status: 'completed', errors_log: {}, errors_count: 0 }

describe.each(Object.entries(IMPORT_CASES))('%s', (type, importCase) => {
  const { good, faulty, errors } = importCase
  const { attributes } = registry.require(type)

  it('are stored, and a fault is named', async () => {
    await reset()
    const here = shopOf(core.tokens.admin)
    const inputs = [
      { ...good, ...COMMON },
      { ...faulty, reference: 'faulty' },
    ]
    const job = await here.run('imports', {
      resource_type: type,
      inputs,
      skip_errors: true,
      ...parentOf(importCase),
    })
    expect(Object.values(job.attributes['errors_log'] as Item)).toEqual([errors])
    expect(job.attributes).toMatchObject({
      status: 'completed',
      processed_count: 1,
      errors_count: 1,
      warnings_log: {},
    })
    const sent = Object.entries({ ...good, ...COMMON }).filter(([name]) => name in attributes)
    expect((await here.find(type)).attributes).toMatchObject(Object.fromEntries(sent))
  })

  it.each(['json', 'csv'])(
    'are the same when imported from an export as %s, here and elsewhere',
    async (format) => {
      await reset()
      const [here, there] = [shopOf(core.tokens.admin), shopOf(core.tokens.otherOrganization)]
      await here.run('imports', {
        resource_type: type,
        inputs: [{ ...good, ...COMMON }],
        ...parentOf(importCase),
      })
      const [text, before] = [await here.exported(type, format), await here.exported(type, 'json')]
      const read = lastingOf(await here.find(type))

      expect(await there.importFile(type, format, inOtherShop(type, format, text))).toMatchObject(completed)
      const expected = inOtherShop(type, 'json', before)
      expect(recordsOf(await there.exported(type, 'json'))).toEqual(recordsOf(expected))
      expect(lastingOf(await there.find(type))).toEqual(read)

      await reset()
      expect(await here.importFile(type, format, text)).toMatchObject(completed)
      expect(recordsOf(await here.exported(type, 'json'))).toEqual(recordsOf(before))
      expect(lastingOf(await here.find(type))).toEqual(read)
    },
  )
})

const NESTED = IMPORTABLE.flatMap(({ type, children = [] }) =>
  children.map((child) => [type, child] as const),
)

test.each(NESTED)('%s are moved with their %s', async (type, child) => {
  await reset()
  const [here, there] = [shopOf(core.tokens.admin), shopOf(core.tokens.otherOrganization)]
  const children = [{ ...IMPORT_CASES[child]?.good, ...COMMON }]
  // A list that names its SKUs by a pattern has no items.
  const good = type === 'sku_lists' ? { name: 'By hand', manual: true } : IMPORT_CASES[type]?.good
  const inputs = [{ ...good, ...COMMON, [child]: children }]
  const parent = type === 'orders' ? { parent_resource_id: encodeId('markets', 1) } : {}
  const job = await here.run('imports', { resource_type: type, inputs, ...parent })
  expect(job.attributes).toMatchObject(completed)
  const records = JSON.parse(await here.exported(type, 'json', { includes: [child] })) as Item[]
  const moved = records.map((record) => ({
    ...(JSON.parse(inOtherShop(type, 'json', JSON.stringify([record]))) as Item[])[0],
    [child]: JSON.parse(inOtherShop(child, 'json', JSON.stringify(record[child]))) as unknown,
  }))
  expect(await there.importFile(type, 'json', JSON.stringify(moved))).toMatchObject(completed)
  expect(lastingOf(await there.find(type))).toEqual(lastingOf(await here.find(type)))
  expect(lastingOf(await there.find(child))).toEqual(lastingOf(await here.find(child)))
})

const uniqueOf = (target: string): readonly string[] =>
  Object.entries(registry.require(target).attributes).flatMap(([name, { unique }]) => (unique ? [name] : []))

/** Those of which every record that the item refers to has a unique code, email or number, so that an export can name it. */
const NAMED = IMPORTABLE.flatMap(({ type, parent = '' }) => {
  const { relationships } = registry.require(type)
  const item = IMPORT_CASES[type]?.good ?? {}
  const linked = Object.entries(relationships).filter(
    ([name, { kind }]) => name === 'tags' || (kind !== 'toMany' && (name === parent || `${name}_id` in item)),
  )
  const names = linked.flatMap(([name, relationship]) => {
    const unique = relationship.kind === 'polymorphicToOne' ? [] : uniqueOf(relationship.target)
    return unique.slice(0, 1).map((attribute) => [name, `${name}.${attribute}`] as const)
  })
  return names.length > 0 && names.length === linked.length ? [[type, names] as const] : []
})

test('types whose links have names are there', () => {
  expect(NAMED.map(([type]) => type)).toEqual(
    expect.arrayContaining(['customers', 'prices', 'skus', 'stock_items']),
  )
})

describe.each(['json', 'csv'])('as %s', (format) => {
  test.each(NAMED)('%s are moved as they are with what they refer to by name', async (type, names) => {
    await reset()
    await seedBothShops(
      core.pool,
      `INSERT INTO tags (id, environment_id, name) VALUES (#1, $env, 'red'), (#2, $env, 'blue')`,
    )
    const [here, there] = [shopOf(core.tokens.admin), shopOf(core.tokens.otherOrganization)]
    const importCase = IMPORT_CASES[type]
    const includes = names.map(([name]) => name)
    const shape = { includes, fields: ['*', ...names.map(([, field]) => field)] }
    const tags = includes.includes('tags') ? { 'tags.name': 'red,blue' } : {}
    const inputs = [{ ...importCase?.good, ...COMMON, ...tags }]
    const parent = importCase === undefined ? {} : parentOf(importCase)
    const job = await here.run('imports', { resource_type: type, inputs, ...parent })
    expect(job.attributes).toMatchObject({ ...completed, warnings_log: {} })
    const before = await here.exported(type, 'json', shape)
    for (const [, field] of names) expect(before).toContain(`"${field.split('.').at(-1) ?? ''}":`)
    const text = await here.exported(type, format, shape)
    expect(await there.importFile(type, format, text)).toMatchObject(completed)
    expect(recordsOf(await there.exported(type, 'json', shape))).toEqual(recordsOf(before))
  })
})
