import { isScopeEffective } from './caller.ts'
import type { Caller } from './caller.ts'

const caller = (kind: string, role?: 'admin' | 'read_only' | 'custom'): Caller => ({
  tokenId: 'a5f3d1c0-0000-4000-8000-000000000000',
  organization: { id: 'enWoxFMOnp', slug: 'brand' },
  mode: 'test',
  application: {
    id: 'DNOPYiZYpn',
    clientId: 'client',
    kind,
    isPublic: kind === 'sales_channel',
    isConfidential: false,
  },
  ...(role && { role: { id: 'rZbnXFNpbw', kind: role, permissions: [] } }),
  scope: 'market:id:abcdefghij',
  expiresAt: new Date(0),
})

describe('isScopeEffective', () => {
  it.each([
    ['integration', 'admin', false],
    ['integration', 'read_only', false],
    ['integration', 'custom', true],
    ['integration', undefined, false],
    ['sales_channel', undefined, true],
    ['webapp', 'admin', true],
    ['webapp', 'custom', true],
  ] as const)('of %s with role %s is %s', (kind, role, expected) => {
    expect(isScopeEffective(caller(kind, role))).toBe(expected)
  })
})
