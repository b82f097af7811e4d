import type { Relationship } from '@merx/jsonapi/relationships'
import { permissionViolations, sizeViolation } from './permission-violations.ts'
import { RESOURCE_TYPES, resourceShapes } from './resource-shapes.ts'

const targetsOf = (relationship: Relationship): readonly string[] =>
  relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]

const violationsOf = (restrictions: Readonly<Record<string, unknown>>, subject = 'orders') =>
  permissionViolations({ subject, actions: ['read'], restrictions })

describe('permissions of a custom role', () => {
  it.each([
    ['none', {}],
    ['markets by code', { rows: { all: { market_code_in: ['eu', 'us'] } } }],
    ['a market by id', { rows: { all: { market_id_in: ['aBcDeFgHiJ'] } } }],
    ['a currency', { rows: { all: { currency_code_eq: 'EUR' } } }],
    ['statuses to change', { rows: { update: { status_in: ['placed', 'approved'] } } }],
    [
      'fields',
      { fields: { read: ['number', 'status', 'total_amount_cents', 'line_items'], update: ['metadata'] } },
    ],
    ['what a team put into metadata', { rows: { all: { metadata_jcont: { team: 'eu' } } } }],
  ])('may be restricted to %s', (_name, restrictions) => {
    expect(violationsOf(restrictions)).toEqual([])
  })

  it.each([
    [
      'an unknown resource type',
      violationsOf({}, 'ordres'),
      /^'ordres' must be a resource type; allowed: addresses, /,
    ],
    [
      'an unknown key',
      violationsOf({ where: {} }),
      /^orders: restrictions has no "where"; allowed: rows, fields$/,
    ],
    [
      'an unknown filter',
      violationsOf({ rows: { all: { colour_eq: 'red' } } }),
      /^orders: rows\.all: orders cannot be filtered by "colour_eq"/,
    ],
    [
      'an unknown field',
      violationsOf({ fields: { read: ['colour'] } }),
      /^orders: fields\.read: "colour" is no field/,
    ],
    [
      'a read-only field to update',
      violationsOf({ fields: { update: ['placed_at'] } }),
      /"placed_at" is no field of orders that is sent when it is updated/,
    ],
    [
      'an id of the wrong form',
      violationsOf({ rows: { all: { market_id_eq: 'not-an-id' } } }),
      /needs an id$/,
    ],
    [
      'rows of a singleton',
      violationsOf({ rows: { all: { name_eq: 'x' } } }, 'organizations'),
      /there is one$/,
    ],
  ])('are refused for %s', (_name, violations, expected) => {
    expect(violations).toHaveLength(1)
    expect(violations[0]).toMatch(expected)
  })

  it('have restrictions of a bounded size altogether', () => {
    const permission = (characters: number) => ({
      subject: 'orders',
      actions: ['read'] as const,
      restrictions: { rows: { all: { number_eq: 'x'.repeat(characters) } } },
    })
    expect(sizeViolation([permission(100), permission(100)])).toBeUndefined()
    expect(sizeViolation([permission(40_000), permission(40_000)])).toMatch(
      /at most 65535 characters altogether/,
    )
  })
})

describe('the shapes of resources', () => {
  it('are those of all types, in order, with relationships that lead somewhere', () => {
    expect(RESOURCE_TYPES).toEqual([...RESOURCE_TYPES].sort())
    expect(RESOURCE_TYPES).toEqual(expect.arrayContaining(['orders', 'skus', 'organizations']))
    for (const { relationships } of resourceShapes.definitions)
      for (const relationship of Object.values(relationships))
        for (const target of targetsOf(relationship)) expect(resourceShapes.require(target).type).toBe(target)
    expect(() => resourceShapes.require('no_such_type')).toThrow(
      'resource-shapes.json has no type no_such_type',
    )
  })
})
