/**
 * Every endpoint of every resource, asked by a token of another organization, another mode, another market and a
 * restricted role: none ever sees, counts, filters by, sorts by, reaches, links to or changes a row that is not its
 * own. Made from the definitions, so that a new resource is covered the day it is defined.
 */
import type { Permission } from '@merx/access-token/caller'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { includableNames } from '@merx/jsonapi/parse-include'
import { sortableNames } from '@merx/jsonapi/parse-sort'
import type { Relationship } from '@merx/jsonapi/relationships'
import { areas } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { VENDOR_GATEWAYS } from '../../../src/payments/vendors/vendors.ts'
import { fillTables } from '../../support/fill-tables.ts'
import { seenInMarket, withOwners } from '../../support/naive-visibility.ts'
import type { RowTest, Rows, Tables } from '../../support/naive-visibility.ts'
import { errorsOf, listOf, marketClaim, openCore } from '../../support/open-core.ts'
import type { ResourceObject, TestCore } from '../../support/open-core.ts'
import { ENVIRONMENTS } from '../../support/seed-shop.ts'

const registry = createRegistry(areas, { ids: testIds })
const collections = registry.definitions.filter(({ isSingleton }) => !isSingleton)
const cases = collections.map((definition) => [definition.type, definition] as const)

let core: TestCore
/** By environment number. */
let shops: ReadonlyMap<number, Tables>

const readTables = async (environment: number): Promise<Tables> => {
  const tables = new Map<string, Rows>()
  for (const { table } of collections) {
    const text = `SELECT * FROM ${table} WHERE environment_id = $1 ORDER BY id`
    tables.set(table, (await core.pool.query<Record<string, unknown>>(text, [environment])).rows)
  }
  return tables
}

beforeAll(async () => {
  core = await openCore('isolation')
  await fillTables(core.pool, collections)
  const numbers = Object.values(ENVIRONMENTS)
  shops = new Map(
    await Promise.all(numbers.map(async (number) => [number, await readTables(number)] as const)),
  )
})
afterAll(() => core.close())

const EVERYTHING = ['create', 'read', 'update', 'destroy'] as const

/** A custom role that may do everything, so that nothing but its scope and restrictions hides rows. */
const roleWith = (id: string, restrictions: Readonly<Record<string, object>> = {}) => {
  const permissions = registry.definitions.map(({ type }): Permission => ({
    subject: type,
    actions: EVERYTHING,
    ...(restrictions[type] === undefined ? {} : { restrictions: { rows: { all: restrictions[type] } } }),
  }))
  core.roles.set(id, { kind: 'custom', permissions })
  return { role: { id, kind: 'custom' } }
}

interface Viewer {
  readonly name: string
  readonly environment: number
  readonly token: () => Promise<string>
  /** Tests of rows by type; of types that are absent all rows of the environment are seen. */
  readonly seen: (tables: Tables) => Readonly<Record<string, RowTest>>
}

const viewers: readonly Viewer[] = [
  {
    name: 'another organization',
    environment: ENVIRONMENTS.other,
    token: async () => core.tokens.otherOrganization,
    seen: () => ({}),
  },
  {
    name: 'another mode',
    environment: ENVIRONMENTS.live,
    token: async () => core.tokens.live,
    seen: () => ({}),
  },
  {
    name: 'another market',
    environment: ENVIRONMENTS.test,
    token: () =>
      core.tokens.mint({ ...roleWith('rOfMarket2'), market: marketClaim([2]), scope: 'market:code:us' }),
    seen: (tables) => withOwners(seenInMarket(tables, 2), tables),
  },
  {
    name: 'a restricted role',
    environment: ENVIRONMENTS.test,
    token: () =>
      core.tokens.mint(
        roleWith('rRestricted', {
          orders: { market_code_eq: 'us' },
          skus: { code_in: ['SKU-B', 'SKU-F'] },
          customers: { email_start: 'vip' },
          payment_gateways: { name_eq: 'none of them' },
          addresses: { city_not_eq: 'Torino' },
        }),
      ),
    seen: (tables) =>
      withOwners(
        {
          orders: (row) => row['market_id'] === 2,
          skus: ({ code }) => code === 'SKU-B' || code === 'SKU-F',
          customers: ({ email }) => String(email).startsWith('vip'),
          payment_gateways: () => false,
          manual_gateways: () => false, // of the restricted family
          external_gateways: () => false,
          ...Object.fromEntries(VENDOR_GATEWAYS.map((type) => [type, () => false])),
          addresses: ({ city }) => city !== 'Torino',
        },
        tables,
      ),
  },
]

const idsOf = (resourcesOfPage: readonly ResourceObject[] = []): readonly string[] =>
  resourcesOfPage.map(({ id }) => id)

test.each(cases)('%s have rows to be hidden', (_type, { table }) => {
  for (const environment of [ENVIRONMENTS.test, ENVIRONMENTS.other])
    expect(shops.get(environment)?.get(table)?.length).toBeGreaterThan(0)
})

describe.each(viewers)('a token of $name', ({ environment, token: mint, seen }) => {
  let token: string
  let tests: Readonly<Record<string, RowTest>>
  beforeAll(async () => {
    token = await mint()
    tests = seen(shops.get(environment) ?? new Map())
  })

  const isOfType = ({ abstract, memberOf, type }: ResourceDefinition, row: Rows[number]): boolean => {
    const column =
      memberOf === undefined ? abstract?.typeColumn : registry.require(memberOf).abstract?.typeColumn
    if (column === undefined) return true
    return abstract === undefined ? row[column] === type : abstract.members.includes(String(row[column]))
  }

  /** Ids of a type over all environments, those that are seen and those that are not. */
  const idsOfType = (type: string) => {
    const definition = registry.require(type)
    const [own, hidden]: [string[], string[]] = [[], []]
    for (const [number, tables] of shops)
      for (const row of (tables.get(definition.table) ?? []).filter((one) => isOfType(definition, one))) {
        const isSeen = number === environment && tests[type]?.(row) !== false
        ;(isSeen ? own : hidden).push(encodeId(idTypeOf(definition), Number(row['id'])))
      }
    return { own, hidden }
  }

  const list = async ({ path }: ResourceDefinition, query: string) =>
    listOf(await core.get(`/api/${path}?page[size]=25&${query}`, token))

  const hasList = ({ operations }: ResourceDefinition): boolean => operations.includes('list')

  it.each(cases.filter(([, definition]) => hasList(definition)))(
    'lists, counts and sorts its own %s',
    async (type, definition) => {
      const { own } = idsOfType(type)
      const sorts = sortableNames(definition).slice(0, 20)
      for (const sort of ['id', sorts.join(','), sorts.map((name) => `-${name}`).join(',')]) {
        const page = await list(definition, `sort=${sort}`)
        expect([[...idsOf(page.data)].sort(), page.meta.record_count]).toEqual([[...own].sort(), own.length])
      }
    },
  )

  it.each(cases.filter(([, definition]) => hasList(definition)))(
    'filters nothing but its own %s',
    async (type, definition) => {
      const { own, hidden } = idsOfType(type)
      expect((await list(definition, `filter[q][id_in]=${hidden.join(',')}`)).meta.record_count).toBe(0)
      const names = Object.entries(definition.attributes).flatMap(([name, { filter }]) =>
        filter ? [name] : [],
      )
      const isAnyNull = await list(definition, `filter[q][${names.join('_or_')}_null]=true`)
      const isNoneNull = await list(definition, `filter[q][${names.join('_and_')}_null]=false`)
      expect(isAnyNull.meta.record_count + isNoneNull.meta.record_count).toBe(own.length)
      for (const id of idsOf([...isAnyNull.data, ...isNoneNull.data])) expect(own).toContain(id)
    },
  )

  const targetsOf = (relationship: Relationship): readonly string[] =>
    relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]

  it.each(cases.filter(([, definition]) => hasList(definition)))(
    'finds no %s by what it does not see',
    async (_type, definition) => {
      for (const [name, relationship] of Object.entries(definition.relationships)) {
        if (!relationship.filter || relationship.kind === 'polymorphicToOne') continue
        const { hidden } = idsOfType(relationship.target)
        const found = await list(definition, `filter[q][${name}_id_in]=${hidden.join(',')}`)
        expect([name, found.meta.record_count]).toEqual([name, 0])
      }
    },
  )

  it.each(cases.filter(([, definition]) => hasList(definition)))(
    'includes nothing but its own with %s',
    async (_type, definition) => {
      for (const name of includableNames(definition)) {
        const { included = [] } = await list(definition, `include=${name}`)
        for (const { type, id } of included) expect(idsOfType(type).own).toContain(id)
      }
    },
  )

  const addressesOf = ({ path, relationships }: ResourceDefinition, id: string): readonly string[] => {
    const names = Object.entries(relationships).flatMap(([name, { endpoint }]) => (endpoint ? [name] : []))
    return names.flatMap((name) => [`/api/${path}/${id}/${name}`, `/api/${path}/${id}/relationships/${name}`])
  }

  it.each(cases)('opens no address of hidden %s', async (type, definition) => {
    const [id] = idsOfType(type).hidden
    if (id === undefined) return // everything of this type is seen
    const paths = [`/api/${definition.path}/${id}`, ...addressesOf(definition, id)]
    for (const path of paths)
      expect([path, [401, 404]]).toEqual([
        path,
        expect.arrayContaining([(await core.get(path, token)).status]),
      ])
  })

  it.each(cases)('is led from its own %s to nothing hidden', async (type, definition) => {
    const [id] = idsOfType(type).own
    if (id === undefined) return // nothing of this type is seen
    for (const path of addressesOf(definition, id)) {
      const { status, body } = await core.get(path, token)
      if (status !== 200) continue
      const { data } = body as { readonly data: null | ResourceObject | readonly ResourceObject[] }
      const reached = data === null ? [] : [data].flat()
      for (const one of reached) {
        if (registry.find(one.type)?.isSingleton !== false) continue
        expect([path, idsOfType(one.type).own]).toEqual([path, expect.arrayContaining([one.id])])
      }
    }
  })

  it.each(cases)('changes and deletes no hidden %s', async (type, definition) => {
    for (const id of idsOfType(type).hidden.slice(0, 2)) {
      const path = `/api/${definition.path}/${id}`
      const body = { data: { type, id, attributes: { reference: 'stolen' } } }
      for (const [method, sent] of [
        ['PATCH', body],
        ['DELETE', undefined],
      ] as const)
        expect([401, 404, 405]).toContain((await core.send(method, path, token, sent)).status)
    }
    for (const [number, tables] of shops) {
      const text = `SELECT * FROM ${definition.table} WHERE environment_id = $1 ORDER BY id`
      expect((await core.pool.query<Record<string, unknown>>(text, [number])).rows).toEqual(
        tables.get(definition.table),
      )
    }
  })

  it.each(cases)('links %s to nothing of another environment', async (type, definition) => {
    const [id] = idsOfType(type).own
    if (id === undefined || !definition.operations.includes('update')) return
    const foreign = (target: string): string | undefined => {
      const away = environment === ENVIRONMENTS.other ? ENVIRONMENTS.test : ENVIRONMENTS.other
      const target_ = registry.require(target)
      const [row] = (shops.get(away)?.get(target_.table) ?? []).filter((one) => isOfType(target_, one))
      return row === undefined ? undefined : encodeId(idTypeOf(target_), Number(row['id']))
    }
    for (const [name, relationship] of Object.entries(definition.relationships)) {
      if (relationship.write !== 'always' && relationship.write !== 'update') continue
      // One of several types names an abstract one as it is listed, such as the target of an attachment.
      const targets = targetsOf(relationship)
      const types =
        relationship.kind === 'polymorphicToOne'
          ? targets
          : targets.flatMap((target) => registry.concreteTypesOf(target))
      const target = types.find((one) => foreign(one) !== undefined)
      if (target === undefined) continue
      const identifier = { type: target, id: foreign(target) }
      const data = relationship.kind === 'toMany' ? [identifier] : identifier
      const body = { data: { type, id, relationships: { [name]: { data } } } }
      const response = await core.send('PATCH', `/api/${definition.path}/${id}`, token, body)
      expect([name, response.status, errorsOf(response).map(({ source }) => source?.pointer)]).toEqual([
        name,
        422,
        expect.arrayContaining([`/data/relationships/${name}`]),
      ])
    }
  })
})
