/**
 * Every cell of who × what: each kind of caller, each resource type core serves, each action, against the tables of
 * packages/access-token and the kinds of roles. A new resource is covered the day it is defined.
 */
import type { PermittedAction } from '@merx/access-token/caller'
import { customerPermissions, guestPermissions } from '@merx/access-token/sales-channel-permissions'
import type { PermissionTable, ResourcePermission } from '@merx/access-token/sales-channel-permissions'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { Operation, ResourceDefinition } from '@merx/jsonapi/define-resource'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { areas } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { customer, errorsOf, openCore, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

const registry = createRegistry(areas, { ids: testIds })

let core: TestCore

beforeAll(async () => {
  core = await openCore('permission_cells')
})
afterAll(() => core.close())

/** A field is one that the reads of the type may leave out. */
type May = (type: string, action: PermittedAction | 'list' | 'related' | `shows ${string}`) => boolean

const isField = (action: string): action is `shows ${string}` => action.startsWith('shows ')

const shows = ({ fields }: ResourcePermission, field: `shows ${string}`): boolean =>
  fields === undefined || fields.read.some((name) => field === `shows ${name}`)

/** Straight from the tables, without the code that core uses. */
const byTables =
  (...tables: readonly PermissionTable[]): May =>
  (type, action) =>
    tables.some((table) => {
      const cell = table[type]
      if (isField(action)) return cell?.read !== undefined && shows(cell, action)
      if (action === 'list') return cell?.read === 'list'
      if (action === 'related') return cell?.read !== undefined
      if (action === 'read') return cell?.read === 'list' || cell?.read === 'single'
      return cell?.[action] === true
    })

const READS: readonly string[] = ['list', 'read', 'related']
const everything: May = () => true
const reads: May = (_type, action) => READS.includes(action) || isField(action)
const nothing: May = () => false

/** The role permits this one action on the types that come first and third, fifth… in the registry. */
const everyOther = registry.definitions.filter((_definition, at) => at % 2 === 0).map(({ type }) => type)
const only =
  (permitted: PermittedAction): May =>
  (type, action) =>
    everyOther.includes(type) && (action === permitted || (permitted === 'read' && reads(type, action)))

const custom = (permitted: PermittedAction): Claims => {
  const id = `rOnly${permitted}`
  const permissions = everyOther.map((subject) => ({ subject, actions: [permitted] }))
  core.roles.set(id, { kind: 'custom', permissions })
  return { role: { id, kind: 'custom' } }
}

const WEBAPP = { id: 'wEBaPPaPPx', client_id: 'webapp', kind: 'webapp', public: false, confidential: true }
const webapp = (role: object): Claims => ({
  application: WEBAPP,
  owner: { id: 'uSerIdUser', type: 'User' },
  ...role,
})

type Claims = Readonly<Record<string, unknown>>

const callers: readonly (readonly [name: string, may: May, claims: () => Claims])[] = [
  ['a guest', byTables(guestPermissions), () => salesChannel([1])],
  ['a customer', byTables(guestPermissions, customerPermissions), () => customer(1, [1])],
  [
    'a sales channel of a user',
    byTables(guestPermissions),
    () => salesChannel([1], { owner: { id: 'uSerIdUser', type: 'User' } }),
  ],
  [
    'a sales channel that claims a role',
    byTables(guestPermissions),
    () => salesChannel([1], { role: { id: 'r', kind: 'admin' } }),
  ],
  ['an admin integration', everything, () => ({ role: { id: 'r', kind: 'admin' } })],
  ['a read-only integration', reads, () => ({ role: { id: 'r', kind: 'read_only' } })],
  ['an integration without a role', nothing, () => ({ role: undefined })],
  ['an integration of a role nobody knows', nothing, () => ({ role: { id: 'rUnknown', kind: 'custom' } })],
  ['an integration that creates', only('create'), () => custom('create')],
  ['an integration that reads', only('read'), () => custom('read')],
  ['an integration that updates', only('update'), () => custom('update')],
  ['an integration that deletes', only('destroy'), () => custom('destroy')],
  ["an admin user's webapp", everything, () => webapp({ role: { id: 'r', kind: 'admin' } })],
  ["a read-only user's webapp", reads, () => webapp({ role: { id: 'r', kind: 'read_only' } })],
  ["a custom user's webapp", only('read'), () => webapp(custom('read'))],
  ['a webapp without a user', nothing, () => ({ application: WEBAPP, role: undefined })],
]

/** No row has this number: callers who may act on the type get 404, others 401. */
const NOBODY = 4_000_000

interface Request {
  readonly operation: Operation
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly needs: readonly (readonly [type: string, action: Parameters<May>[1]])[]
}

const requestsTo = (definition: ResourceDefinition): readonly Request[] => {
  const { type, path, operations, isSingleton, relationships } = definition
  // Everybody may read whom their token is for: spec auth.md 8.
  if (isSingleton) return [{ operation: 'retrieve', method: 'GET', path: `/api/${path}`, needs: [] }]
  const one = `/api/${path}/${encodeId(idTypeOf(definition), NOBODY)}`
  const id = encodeId(idTypeOf(definition), NOBODY)
  const body = { data: { type, attributes: { no_such_attribute: 1 } } }
  const requests: readonly Request[] = [
    { operation: 'list', method: 'GET', path: `/api/${path}`, needs: [[type, 'list']] },
    { operation: 'retrieve', method: 'GET', path: one, needs: [[type, 'read']] },
    { operation: 'create', method: 'POST', path: `/api/${path}`, body, needs: [[type, 'create']] },
    {
      operation: 'update',
      method: 'PATCH',
      path: one,
      body: { data: { type, id } },
      needs: [[type, 'update']],
    },
    { operation: 'delete', method: 'DELETE', path: one, needs: [[type, 'destroy']] },
  ]
  const related = Object.entries(relationships).flatMap(([name, relationship]): readonly Request[] => {
    // history is for integrations only and has no linkage: change-log.test.ts
    if (!relationship.endpoint || relationship.kind === 'polymorphicToOne' || name === 'event_stores')
      return []
    const needs = [
      [type, 'read'],
      [type, `shows ${name}`],
      [relationship.target, 'related'],
    ] as const
    return [name, `relationships/${name}`].map((end) => ({
      operation: 'retrieve',
      method: 'GET',
      path: `${one}/${end}`,
      needs,
    }))
  })
  return [...requests.filter(({ operation }) => operations.includes(operation)), ...related]
}

const isRefused = (response: InProcessResponse): boolean =>
  response.status === 401 && errorsOf(response)[0]?.code === 'UNAUTHORIZED'

describe.each(callers)('%s', (_name, may, claims) => {
  let token: string
  beforeAll(async () => {
    token = await core.tokens.mint(claims())
  })

  it.each(registry.definitions.map((definition) => [definition.type, definition] as const))(
    'may do with %s what the table says, and nothing else',
    async (_type, definition) => {
      const seen: Record<string, boolean> = {}
      const expected: Record<string, boolean> = {}
      for (const { method, path, body, needs } of requestsTo(definition)) {
        const response = await core.send(method, path, token, body)
        seen[`${method} ${path}`] = !isRefused(response)
        expected[`${method} ${path}`] = needs.every(([type, action]) => may(type, action))
      }
      expect(seen).toEqual(expected)
    },
  )
})
