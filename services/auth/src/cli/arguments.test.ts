import { InvalidArgumentError } from 'commander'
import {
  collectPermission,
  parseAhead,
  parseEventNumber,
  parseInstant,
  parseLifetime,
  parseLimit,
  parsePermissions,
} from './arguments.ts'

describe('arguments', () => {
  it.each([
    [
      'a lifetime',
      parseLifetime,
      ['7200', '1296000', 'default'],
      ['7199', '1296001', '', '7200.5', '1e4', '-1'],
    ],
    ['a time ahead', parseAhead, ['420', '604800'], ['419', '604801', 'x']],
    ['a limit', parseLimit, ['1', '1000'], ['0', '1001', ' 1']],
    ['an event number', parseEventNumber, ['1'], ['0', '-1', '9999999999999']],
    [
      'an instant',
      parseInstant,
      ['2026-01-31', '2026-01-31T12:00:00Z', '2024-02-29', '0001-01-01', '9999-12-31T23:59:59Z'],
      [
        ...[
          'yesterday',
          '2026-13-01',
          '2026-01-01T12:00',
          '2026-02-29',
          '2026-02-30',
          '2026-02-30T12:00:00Z',
        ],
        ...['2026-01-01T25:00:00Z', '0000-01-01', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'],
      ],
    ],
  ] as const)('take %s within its bounds only', (_name, parse, good, bad) => {
    for (const text of good) expect(() => parse(text)).not.toThrow()
    for (const text of bad) expect(() => parse(text)).toThrow(InvalidArgumentError)
  })

  it('collect permissions, each resource type once', () => {
    const first = collectPermission('orders:read,update')
    expect(collectPermission('skus:*', first)).toEqual([
      { subject: 'orders', actions: ['read', 'update'] },
      { subject: 'skus', actions: ['create', 'read', 'update', 'destroy'] },
    ])
    expect(() => collectPermission('orders:read', first)).toThrow('named twice')
  })

  it.each([
    ['ordres:read', 'no resource type; allowed: addresses'],
    ['orders', 'must be <resource type>:<actions>'],
    ['orders:write', 'create, read, update, destroy'],
    ['orders:read:update', 'must be <resource type>:<actions>'],
    ['orders:', 'must be <resource type>:<actions>'],
  ])('refuse the permission %s and name what is allowed', (text, message) => {
    expect(() => collectPermission(text)).toThrow(message)
  })

  it('take permissions as JSON, and name what is wrong with them', () => {
    const permissions = [{ subject: 'orders', actions: ['read'], restrictions: { market: ['x'] } }]
    expect(parsePermissions(JSON.stringify(permissions))).toEqual(permissions)
    expect(() => parsePermissions('{')).toThrow('not JSON')
    expect(() => parsePermissions('[{"subject":"orders"}]')).toThrow('/0')
    expect(() => parsePermissions('[{"subject":"x","actions":[]}]')).toThrow('/0/subject')
  })
})
