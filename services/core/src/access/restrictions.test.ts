import type { Caller, Permission, RoleKind } from '@merx/access-token/caller'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../areas.ts'
import { createRegistry } from '../engine/registry.ts'
import { readableOf } from './readable-fields.ts'
import {
  compileRestrictions,
  restrictionsAt,
  restrictionsOf,
  restrictsRows,
  withoutBroken,
} from './restrictions.ts'
import type { CallerRestrictions } from './restrictions.ts'

const registry = createRegistry(areas, { ids: testIds })
const orders = registry.require('orders')

const caller = (permissions: readonly Permission[], kind: RoleKind = 'custom'): Caller => ({
  tokenId: '6f1c2b9e-1f43-4f6e-9d57-6d5d3f7b2c11',
  organization: { id: 'enWoxFMOnp', slug: 'brand' },
  mode: 'test',
  application: {
    id: 'DNOPYiZYpn',
    clientId: 'c',
    kind: 'integration',
    isPublic: false,
    isConfidential: true,
  },
  role: { id: 'r', kind, permissions },
  scope: '',
  expiresAt: new Date('2026-11-20T12:00:00Z'),
})

const salesChannel = (owner?: Caller['owner']): Caller => ({
  ...caller([]),
  application: { id: 'x', clientId: 'c', kind: 'sales_channel', isPublic: true, isConfidential: false },
  ...(owner === undefined ? {} : { owner }),
})

const placed = { rows: { all: { status_eq: 'placed' } } }
const orderPermission = (restrictions: Readonly<Record<string, unknown>>): Permission => ({
  subject: 'orders',
  actions: ['read'],
  restrictions,
})

describe('the restrictions of a caller', () => {
  it.each<[string, Caller]>([
    ['an admin', caller([orderPermission(placed)], 'admin')],
    ['a read-only role', caller([orderPermission(placed)], 'read_only')],
    ['a custom role without restrictions', caller([orderPermission({}), { subject: 'skus', actions: [] }])],
  ])('of %s are none', (_name, who) => {
    expect(restrictionsOf(who)).toBeUndefined()
  })

  it('are those of the permissions of a custom role, the same object while the role stays', () => {
    const who = caller([orderPermission(placed), { subject: 'skus', actions: ['read'] }])
    expect(restrictionsOf(who)).toEqual({ orders: placed })
    expect(restrictionsOf({ ...who })).toBe(restrictionsOf(who))
    expect(restrictionsOf(who)).toEqual({ orders: placed })
  })

  it('survive as JSON, so that a job can keep them', () => {
    const kept = JSON.parse(
      JSON.stringify(restrictionsOf(caller([orderPermission(placed)]))),
    ) as CallerRestrictions
    expect(compileRestrictions(kept, registry).byType.get('orders')?.rows.all).toHaveLength(1)
  })

  it.each<[string, Caller]>([
    ['guests', salesChannel()],
    ['customers', salesChannel({ id: encodeId('customers', 1), type: 'Customer' })],
  ])('of %s fit the definitions, so that none of their conditions is forgotten', (_name, who) => {
    const compiled = compileRestrictions(restrictionsOf(who) ?? {}, registry)
    expect([...compiled.broken]).toEqual([])
    expect(compiled.byType.get('orders')?.rows.update).toHaveLength(1)
  })
})

describe('restrictions that do not fit', () => {
  const who = caller([
    orderPermission({ rows: { all: { gone_eq: 1 } } }),
    { subject: 'skus', actions: ['read'] },
  ])

  it('leave nothing of the permission, and the others as they are', () => {
    expect(withoutBroken(who, registry).role?.permissions.map(({ subject }) => subject)).toEqual(['skus'])
  })

  it('are those of a malformed kind too', () => {
    const odd = caller([orderPermission({ anything: true })])
    expect(withoutBroken(odd, registry).role?.permissions).toEqual([])
  })

  it('change nothing for callers without any', () => {
    const fine = caller([orderPermission(placed)])
    expect(withoutBroken(fine, registry)).toBe(fine)
    const admin = caller([], 'admin')
    expect(withoutBroken(admin, registry)).toBe(admin)
  })
})

describe('restrictionsAt', () => {
  it('of a family hold for all of it, by whatever name it is reached', () => {
    const restrictions = {
      payment_gateways: { fields: { read: ['name'] } },
      manual_gateways: { fields: { read: ['disabled_at'] } },
    }
    const at = (type: string) =>
      restrictionsAt(registry.require(type), restrictions, registry).map(({ fields }) => [
        ...(fields.read ?? []),
      ])
    expect(at('payment_gateways')).toEqual([['name'], ['disabled_at']])
    expect(at('manual_gateways')).toEqual([['disabled_at'], ['name']])
    expect(at('skus')).toEqual([])
  })
})

describe('rows are restricted', () => {
  const fields = { fields: { read: ['name'] } }
  const broken = { anything: true }
  const some = { rows: { read: { status_eq: 'placed' } } }
  it.each<[boolean, string, string, CallerRestrictions | undefined]>([
    [false, 'of nobody without restrictions', 'orders', undefined],
    [false, 'of other types', 'skus', { orders: placed }],
    [true, 'for everything', 'orders', { orders: placed }],
    [true, 'for reads', 'orders', { orders: some }],
    [false, 'for writes alone', 'orders', { orders: { rows: { update: { status_eq: 'placed' } } } }],
    [false, 'by fields', 'orders', { orders: { fields: { read: ['number'] } } }],
    [true, 'where nothing can be applied', 'orders', { orders: broken }],
    [true, 'where nothing can be applied to the family', 'manual_gateways', { payment_gateways: broken }],
    [
      false,
      'where nothing can be applied to another of the family',
      'payment_gateways',
      { manual_gateways: broken },
    ],
    [
      false,
      'by fields of the family',
      'manual_gateways',
      { payment_gateways: fields, manual_gateways: fields },
    ],
  ])('%s: %s', (expected, _case, type, restrictions) => {
    expect(restrictsRows(registry.require(type), restrictions, registry)).toBe(expected)
  })
})

it('restrictions are understood once, and types that are not served are left out', () => {
  const restrictions = { orders: placed, dinosaurs: { anything: true } }
  const compiled = compileRestrictions(restrictions, registry)
  expect(compileRestrictions(restrictions, registry)).toBe(compiled)
  expect([...compiled.broken, ...compiled.byType.keys()]).toEqual(['orders'])
})

it('nothing restricts nobody', () => {
  expect(restrictionsAt(orders, undefined, registry)).toEqual([])
  const { role: _role, ...bare } = caller([])
  expect(restrictionsOf(bare)).toBeUndefined()
  expect(withoutBroken(salesChannel(), registry)).toEqual(salesChannel())
})

it('a guest is shown few fields of a customer, a customer all', () => {
  const owner = { id: encodeId('customers', 1), type: 'Customer' } as const
  const fieldsOf = (who: Caller) => {
    const of = restrictionsOf(who)?.['customers'] as { readonly fields?: unknown } | undefined
    return of?.fields
  }
  expect(fieldsOf(salesChannel())).toMatchObject({ read: expect.arrayContaining(['email']) as unknown })
  expect(fieldsOf(salesChannel(owner))).toBeUndefined()
  expect(restrictionsOf(salesChannel())).not.toHaveProperty('skus')
})

describe('readableOf', () => {
  const restrictions = { orders: { fields: { read: ['number', 'market', 'total_amount_cents'] } } }

  it('is the definition with the fields that may be read', () => {
    const readable = readableOf(orders, restrictions, registry)
    expect(Object.keys(readable.attributes)).toEqual(['number', 'total_amount_cents'])
    expect(Object.keys(readable.relationships)).toEqual(['market'])
    expect(readable.type).toBe('orders')
  })

  it('is one object per role and type, and stays itself when narrowed again', () => {
    const readable = readableOf(orders, restrictions, registry)
    expect(readableOf(orders, restrictions, registry)).toBe(readable)
    expect(readableOf(readable, restrictions, registry)).toBe(readable)
  })

  it('is the definition itself without restrictions of its fields', () => {
    expect(readableOf(orders, undefined, registry)).toBe(orders)
    expect(readableOf(orders, { orders: placed }, registry)).toBe(orders)
    const skus = registry.require('skus')
    expect(readableOf(skus, restrictions, registry)).toBe(skus)
  })

  it('of a member of a family has what both types let through', () => {
    const doors = {
      payment_gateways: { fields: { read: ['name', 'disabled_at'] } },
      manual_gateways: { fields: { read: ['name'] } },
    }
    const gateway = registry.require('manual_gateways')
    const namesOf = (restrictions: CallerRestrictions) =>
      Object.keys(readableOf(gateway, restrictions, registry).attributes)
    expect(namesOf(doors)).toEqual(['name'])
    expect(namesOf({ payment_gateways: doors.payment_gateways })).toEqual(['name', 'disabled_at'])
  })
})
