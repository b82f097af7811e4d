import type { Caller, PermittedAction, RoleKind } from '@merx/access-token/caller'
import { customerPermissions, guestPermissions } from '@merx/access-token/sales-channel-permissions'
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import type { Registry } from '@merx/jsonapi/registry'
import { may, mayFollow, requireOwnReadable, requirePermission } from './permissions.ts'
import type { Access } from './permissions.ts'

const ACCESSES: readonly Access[] = ['list', 'retrieve', 'related', 'create', 'update', 'delete']

const caller = (more: Partial<Caller>, kind = 'integration'): Caller => ({
  tokenId: '6f1c2b9e-1f43-4f6e-9d57-6d5d3f7b2c11',
  organization: { id: 'enWoxFMOnp', slug: 'brand' },
  mode: 'test',
  application: { id: 'DNOPYiZYpn', clientId: 'c', kind, isPublic: false, isConfidential: true },
  scope: '',
  expiresAt: new Date('2026-11-20T12:00:00Z'),
  ...more,
})

const withRole = (kind: RoleKind, subject = 'skus', actions: readonly PermittedAction[] = []) =>
  caller({ role: { id: 'r', kind, permissions: [{ subject, actions }] } })

const guest = caller({}, 'sales_channel')
const customer = caller({ owner: { id: encodeId('customers', 1), type: 'Customer' } }, 'sales_channel')

const permitted = (who: Caller, type: string) => ACCESSES.filter((access) => may(who, type, access))

describe('roles', () => {
  it.each<[RoleKind, readonly Access[]]>([
    ['admin', ACCESSES],
    ['read_only', ['list', 'retrieve', 'related']],
    ['custom', []],
  ])('%s may %p', (kind, expected) => {
    expect(permitted(withRole(kind), 'prices')).toEqual(expected)
  })

  it.each<[PermittedAction, readonly Access[]]>([
    ['read', ['list', 'retrieve', 'related']],
    ['create', ['create']],
    ['update', ['update']],
    ['destroy', ['delete']],
  ])('custom with %s may %p, of its subject only', (action, expected) => {
    expect(permitted(withRole('custom', 'skus', [action]), 'skus')).toEqual(expected)
    expect(permitted(withRole('custom', 'skus', [action]), 'prices')).toEqual([])
  })

  it('custom with several subjects may what each permits', () => {
    const permissions = [
      { subject: 'skus', actions: ['read'] },
      { subject: 'prices', actions: ['create'] },
    ] as const
    const who = caller({ role: { id: 'r', kind: 'custom', permissions } })
    expect([permitted(who, 'skus'), permitted(who, 'prices')]).toEqual([
      ['list', 'retrieve', 'related'],
      ['create'],
    ])
  })

  it('none may nothing', () => {
    expect(permitted(caller({}), 'skus')).toEqual([])
    expect(permitted(caller({}, 'webapp'), 'skus')).toEqual([])
  })

  it('on a sales channel do not count', () => {
    const role = { id: 'r', kind: 'admin', permissions: [] } as const
    expect(permitted({ ...guest, role }, 'merchants')).toEqual([])
  })
})

describe('sales channels', () => {
  it.each([
    ['skus', ['list', 'retrieve', 'related']],
    ['orders', ['retrieve', 'related', 'create', 'update']],
    ['customers', ['related', 'create']],
    ['addresses', ['retrieve', 'related', 'create', 'update', 'delete']],
    ['markets', ['related']],
    ['customer_groups', []],
    ['organizations', ['retrieve', 'related']],
    ['toString', []],
  ])('as guests may on %s: %p', (type, expected) => {
    expect(permitted(guest, type)).toEqual(expected)
  })

  it.each([
    ['orders', ['list', 'retrieve', 'related', 'create', 'update']],
    ['customers', ['retrieve', 'related', 'create', 'update', 'delete']],
    ['skus', ['list', 'retrieve', 'related']],
    ['customer_addresses', ACCESSES],
  ])('as customers may on %s: %p', (type, expected) => {
    expect(permitted(customer, type)).toEqual(expected)
  })

  it('customers may all that guests may', () => {
    for (const type of [...Object.keys(guestPermissions), ...Object.keys(customerPermissions)]) {
      expect(permitted(customer, type)).toEqual(expect.arrayContaining(permitted(guest, type)))
    }
  })

  it('of a user are guests', () => {
    const user = caller({ owner: { id: 'uSerIdUser', type: 'User' } }, 'sales_channel')
    expect(permitted(user, 'orders')).toEqual(permitted(guest, 'orders'))
  })
})

const definition = (type: string) =>
  ({ type, attributes: {}, relationships: {} }) as unknown as ResourceDefinition

describe('going from one resource to others', () => {
  const follows = (who: Caller, from: string, to: string, kind: 'toMany' | 'toOne' = 'toMany') =>
    mayFollow(who, definition(from), { kind }, definition(to))

  it('a guest does not list through what everybody sees what is read one by one', () => {
    expect(follows(guest, 'stores', 'orders')).toBe(false)
  })

  it.each<[string, Caller, string, string, 'toMany' | 'toOne']>([
    ['a guest to the one order of a record', guest, 'stores', 'orders', 'toOne'],
    ['a guest from what is itself read one by one', guest, 'orders', 'addresses', 'toMany'],
    ['a guest to what is listed', guest, 'stores', 'skus', 'toMany'],
    ['a guest to what is not read by its address at all', guest, 'stores', 'markets', 'toMany'],
    ['a customer', customer, 'stores', 'orders', 'toMany'],
    ['an integration', withRole('admin'), 'stores', 'orders', 'toMany'],
  ])('%s may', (_case, who, from, to, kind) => {
    expect(follows(who, from, to, kind)).toBe(true)
  })
})

it('what is not permitted is refused as unauthorized', () => {
  const who = withRole('read_only')
  expect(() => requirePermission(who, definition('skus'), 'list')).not.toThrow()
  expect(() => requirePermission(who, definition('skus'), 'create')).toThrow(new AppError('unauthorized'))
})

describe('the organization of a token is read by all', () => {
  const registry = { find: definition } as unknown as Registry
  const read = (restrictions: Readonly<Record<string, unknown>> | undefined) => () =>
    requireOwnReadable(definition('organizations'), restrictions, registry)

  it('without restrictions, or with some that can be applied', () => {
    expect(read(undefined)).not.toThrow()
    expect(read({})).not.toThrow()
    expect(read({ skus: { anything: true } })).not.toThrow()
  })

  it('but not with restrictions that cannot be applied', () => {
    expect(read({ organizations: { anything: true } })).toThrow(new AppError('unauthorized'))
  })
})
