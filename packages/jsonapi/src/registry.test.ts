import { boolean, cents, computed, integer, list, loaded, oneOf, text, trigger } from './attributes.ts'
import { defineResource } from './define-resource.ts'
import type { ResourceDeclaration } from './define-resource.ts'
import { testIds } from './fixtures/ids.ts'
import { makers, rooms, shelves, shop, things } from './fixtures/shop.ts'
import { createRegistry, DefinitionError } from './registry.ts'
import { polymorphicToOne, toMany, toOne } from './relationships.ts'
import { refuseWhileReferencedBy } from './rules.ts'

const plain: ResourceDeclaration = {
  summary: 'A test.',
  model: 'test',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  attributes: {},
}

const others = shop.definitions

const violationsOf = (declaration: Partial<ResourceDeclaration>, type = 'tests'): readonly string[] => {
  try {
    createRegistry([...others, defineResource(type, { ...plain, ...declaration })], { ids: testIds })
    return []
  } catch (error) {
    if (error instanceof DefinitionError) return error.violations
    throw error
  }
}

describe('createRegistry', () => {
  it('finds resources by type and by path', () => {
    expect(shop.find('things')).toBe(things)
    expect(shop.findByPath('house')?.type).toBe('houses')
    expect(shop.find('nope')).toBeUndefined()
    expect(shop.findByPath('houses')).toBeUndefined()
    expect(() => shop.require('nope')).toThrow('no resource of type nope')
  })

  it('knows the concrete types of an abstract one', () => {
    expect(shop.concreteTypesOf('makers')).toEqual(['factories'])
    expect(shop.concreteTypesOf('things')).toEqual(['things'])
  })

  it('adds the common attributes last', () => {
    expect(Object.keys(rooms.attributes)).toEqual([
      'name',
      'created_at',
      'updated_at',
      'reference',
      'reference_origin',
      'metadata',
    ])
  })

  it('accepts the fixtures', () => {
    expect(violationsOf({})).toEqual([])
  })

  it.each<[string, Partial<ResourceDeclaration>, string]>([
    [
      'a named filter that stands for nothing',
      { namedFilters: { a: 'nope_eq' } },
      'tests.a: the named filter stands for no filter: nope_eq',
    ],
    [
      'a named filter over no relationship',
      { namedFilters: { a: 'nope.name_eq' } },
      'stands for no filter: nope.name_eq',
    ],
    [
      'a named filter of an attribute that is not filtered',
      { attributes: { a: text() }, namedFilters: { b: 'a_eq' } },
      'stands for no filter: a_eq',
    ],
    [
      'a named filter with a predicate of another kind',
      { attributes: { a: boolean({ filter: true }) }, namedFilters: { b: 'a_cont' } },
      'stands for no filter: a_cont',
    ],
    [
      'an unknown target',
      { relationships: { a: toOne('nope') } },
      'tests.a: unknown target type nope: no resource has this type',
    ],
    [
      'an unknown target of many',
      { relationships: { a: toMany('nope', { virtual: 'x' }) } },
      'tests.a: unknown target type nope: no resource has this type',
    ],
    ['no target', { relationships: { a: polymorphicToOne([]) } }, 'tests.a: has no target type'],
    [
      'an unknown polymorphic target',
      { relationships: { a: polymorphicToOne(['tags', 'nope']) } },
      'tests.a: unknown target type nope: no resource has this type',
    ],
    [
      'a to-many without a source',
      { relationships: { a: toMany('tags', {}) } },
      'needs exactly one of inverse, through and virtual',
    ],
    [
      'a to-many with two sources',
      { relationships: { a: toMany('tags', { inverse: 'x', virtual: 'y' }) } },
      'needs exactly one of inverse, through and virtual',
    ],
    [
      'an inverse that does not exist',
      { relationships: { a: toMany('tags', { inverse: 'x' }) } },
      'tags has no to-one relationship "x"',
    ],
    [
      'an inverse that points elsewhere',
      { relationships: { a: toMany('things', { inverse: 'shelf' }) } },
      'its inverse things.shelf points to shelves',
    ],
    [
      'a polymorphic inverse that points elsewhere',
      { relationships: { a: toMany('notes', { inverse: 'about' }) } },
      'its inverse notes.about points to things, shelves',
    ],
    [
      'a written set that is not stored',
      { relationships: { a: toMany('tags', { virtual: 'y', write: 'always' }) } },
      'only a set stored in a table can be written',
    ],
    [
      'a sorted virtual relationship',
      { relationships: { a: toOne('tags', { virtual: 'y', sort: true }) } },
      'no column to sort by',
    ],
    [
      'a written virtual relationship',
      { relationships: { a: toOne('tags', { virtual: 'y', write: 'always' }) } },
      'cannot be written',
    ],
    [
      'a required relationship nobody writes',
      { relationships: { a: toOne('tags', { required: true }) } },
      'is required but nobody may write it',
    ],
    [
      'a required attribute nobody writes',
      { attributes: { a: text({ required: true }) } },
      'is required but nobody may write it',
    ],
    [
      'a filter on a computed attribute',
      { attributes: { a: { ...computed(() => 1), filter: true } } },
      'a filter needs a stored attribute',
    ],
    [
      'a sort on a computed attribute',
      { attributes: { a: { ...computed(() => 1), sort: true } } },
      'a sort needs a stored attribute',
    ],
    [
      'a written loaded attribute',
      { attributes: { a: { ...loaded('a'), write: 'always' } } },
      'a write needs a stored or computed attribute',
    ],
    [
      'a sealed number',
      { attributes: { a: integer({ sealed: true, secret: true }) } },
      'only a text or an object can be sealed',
    ],
    [
      'a filter on a sealed attribute',
      { attributes: { a: text({ sealed: true, secret: true, filter: true }) } },
      'what is sealed cannot be filtered, sorted or unique',
    ],
    [
      'a sealed attribute that everybody reads',
      { attributes: { a: text({ sealed: true }) } },
      'what is sealed is never shown, or a secret text',
    ],
    ['a sort on a list', { attributes: { a: list({ sort: true }) } }, 'have no order to sort by'],
    ['bounds the wrong way round', { attributes: { a: integer({ min: 2, max: 1 }) } }, 'min is above max'],
    ['a choice of nothing', { attributes: { a: oneOf([]) } }, 'allows no value at all'],
    [
      'an amount that is not named so',
      { attributes: { price: cents() } },
      'the name of an amount ends in _cents',
    ],
    [
      'a companion declared twice',
      { attributes: { a_cents: cents(), a_float: integer() } },
      'its companion a_float is declared too',
    ],
    [
      'a trigger without underscore',
      { attributes: { go: trigger() }, actions: { go: () => ({}) } },
      'start with an underscore',
    ],
    ['an underscore without trigger', { attributes: { _a: boolean() } }, 'start with an underscore'],
    [
      'an argument of no trigger',
      { attributes: { _size: trigger({ argumentOf: '_go' }) } },
      'is an argument of "_go"',
    ],
    ['a trigger without action', { attributes: { _go: trigger() } }, 'starts an action "go"'],
    [
      'a name used twice',
      { attributes: { a: text() }, relationships: { a: toOne('tags') } },
      'both an attribute and a relationship',
    ],
    ['a reserved name', { attributes: { id: text() } }, 'tests.id: the name is reserved'],
    ['a name no attribute may have', { attributes: { links: text() } }, 'tests.links: the name is reserved'],
    ['a name that is no identifier', { attributes: { 'a-b': text() } }, '"a-b" is no snake_case name'],
    [
      'a column that is no identifier',
      { attributes: { a: text({ column: 'a; drop table skus' }) } },
      'is no snake_case name',
    ],
    [
      'a link table that is no identifier',
      { relationships: { a: toMany('tags', { through: { table: 'A', from: 'b', to: 'c' } }) } },
      '"A" is no snake_case name',
    ],
    ['a common attribute declared again', { attributes: { metadata: text() } }, 'common attribute'],
    ['no operations', { operations: [] }, 'has no operations'],
    ['a singleton list', { singleton: true }, 'a singleton can only be retrieved'],
    [
      'a written abstract type',
      { operations: ['create'], abstract: { typeColumn: 'type', members: [] } },
      'an abstract type is only read',
    ],
    [
      'an unknown member',
      { abstract: { typeColumn: 'type', members: ['nope'] } },
      'unknown member type nope',
    ],
    [
      'a member that does not agree',
      { abstract: { typeColumn: 'type', members: ['tags'] } },
      'tags does not say memberOf tests',
    ],
    ['an unknown family', { memberOf: 'nope' }, 'memberOf names an unknown type nope'],
    ['a family that does not agree', { memberOf: 'makers' }, 'makers does not list it as a member'],
    ['a path used twice', { path: 'things' }, 'path things: used more than once'],
    ['a delete rule about nothing', { onDelete: refuseWhileReferencedBy('nope') }, 'onDelete names "nope"'],
  ])('refuses %s', (_name, declaration, violation) => {
    if ('metadata' in (declaration.attributes ?? {})) {
      // defineResource puts the common one over it; only a hand-made definition gets this far
      const definition = { ...defineResource('tests', plain), attributes: { metadata: text() } }
      expect(() => createRegistry([...others, definition], { ids: testIds })).toThrow(violation)
    } else {
      expect(violationsOf(declaration).join('\n')).toContain(violation)
    }
  })

  it('refuses a type defined twice', () => {
    expect(() => createRegistry([...others, shelves], { ids: testIds })).toThrow(
      'shelves: defined more than once',
    )
  })

  it('refuses a member with another table', () => {
    const factories = { ...shop.require('factories'), table: 'factories' }
    const rest = others.filter(({ type }) => type !== 'factories')
    expect(() => createRegistry([...rest, factories], { ids: testIds })).toThrow(
      'must share the table of makers',
    )
  })

  it('names every violation at once', () => {
    const relationships = { a: toOne('nope'), b: toMany('tags', {}) }
    expect(violationsOf({ relationships, operations: [] })).toHaveLength(3)
  })

  it('shares the table of the abstract type with its members', () => {
    expect(shop.require('factories').table).toBe(makers.table)
  })
})
