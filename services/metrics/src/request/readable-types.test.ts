import type { Caller, Permission, RoleKind } from '@merx/access-token/caller'
import { mayReadOf } from './readable-types.ts'

const callerWith = (kind: RoleKind, permissions: readonly Permission[] = []) =>
  ({ role: { id: 'role', kind, permissions } }) as unknown as Caller

describe('the types that a caller may read', () => {
  it.each(['admin', 'read_only'] as const)('is everything for the role %s', (kind) => {
    expect(mayReadOf(callerWith(kind))('customers')).toBe(true)
  })

  it.each<[string, Permission, boolean]>([
    ['with the permission to read', { subject: 'customers', actions: ['update', 'read'] }, true],
    ['without it', { subject: 'customers', actions: ['update'] }, false],
    ['with that of another type', { subject: 'addresses', actions: ['read'] }, false],
    ['with no restrictions', { subject: 'customers', actions: ['read'], restrictions: {} }, true],
    [
      'with restrictions of writes alone',
      {
        subject: 'customers',
        actions: ['read', 'update'],
        restrictions: { rows: { update: { email_eq: 'a@b.c' } }, fields: { update: ['metadata'] } },
      },
      true,
    ],
    [
      'with some rows',
      { subject: 'customers', actions: ['read'], restrictions: { rows: { all: { email_eq: 'a@b.c' } } } },
      false,
    ],
    [
      'with some rows to read',
      { subject: 'customers', actions: ['read'], restrictions: { rows: { read: {} } } },
      false,
    ],
    [
      'with some fields',
      { subject: 'customers', actions: ['read'], restrictions: { fields: { read: ['customer_group'] } } },
      false,
    ],
    [
      'with a restriction of an unknown form',
      { subject: 'customers', actions: ['read'], restrictions: { x: 1 } },
      false,
    ],
    [
      'with rows that are no object',
      { subject: 'customers', actions: ['read'], restrictions: { rows: 1 } },
      false,
    ],
  ])('is a type for a custom role %s: %#', (_when, permission, expected) => {
    expect(mayReadOf(callerWith('custom', [permission]))('customers')).toBe(expected)
  })
})
