/** Definitions → what is wrong with them, each violation as one sentence that names the resource and the member. */
import { companionsOf, isStored } from './attributes.ts'
import type { Attribute } from './attributes.ts'
import { columnOf, foreignKeyOf, polymorphicKeyOf } from './columns.ts'
import { commonAttributes } from './define-resource.ts'
import type { ResourceDefinition } from './define-resource.ts'
import { predicates, valueKindOf } from './predicates.ts'
import type { Relationship, ToMany } from './relationships.ts'

const IDENTIFIER = /^_?[a-z][a-z0-9_]{0,62}$/
const RESERVED = ['id', 'type']
/** In JSON:API 1.0 nothing inside of attributes may have these names; relationships may. */
const RESERVED_OF_ATTRIBUTES = ['links', 'relationships', 'meta']

type Find = (type: string) => ResourceDefinition | undefined

/** Every violation of the definitions; an empty list means they fit together. */
export const checkDefinitions = (definitions: readonly ResourceDefinition[]): readonly string[] => {
  const byType = new Map(definitions.map((definition) => [definition.type, definition]))
  const find: Find = (type) => byType.get(type)
  return [
    ...repeated(definitions.map(({ type }) => type)).map((type) => `${type}: defined more than once`),
    ...repeated(definitions.map(({ path }) => path)).map((path) => `path ${path}: used more than once`),
    ...definitions.flatMap((definition) => [
      ...checkNames(definition),
      ...checkShape(definition),
      ...checkFamily(definition, find),
      ...Object.entries(definition.attributes).flatMap(([name, attribute]) =>
        checkAttribute(name, attribute, definition).map(
          (violation) => `${definition.type}.${name}: ${violation}`,
        ),
      ),
      ...Object.entries(definition.relationships).flatMap(([name, relationship]) =>
        checkRelationship(relationship, definition, find).map(
          (violation) => `${definition.type}.${name}: ${violation}`,
        ),
      ),
      ...checkNamedFilters(definition, find),
      ...checkDeleteRule(definition),
    ]),
  ]
}

const repeated = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter((value) => values.indexOf(value) !== values.lastIndexOf(value))

const checkNames = (definition: ResourceDefinition): readonly string[] => {
  const { type, table, path, attributes, relationships } = definition
  const names = [...Object.keys(attributes), ...Object.keys(relationships)]
  const identifiers = [type, table, path, ...names, ...columnsOf(definition)]
  return [
    ...identifiers
      .filter((name) => !IDENTIFIER.test(name))
      .map((name) => `${type}: "${name}" is no snake_case name`),
    ...names.filter((name) => RESERVED.includes(name)).map((name) => `${type}.${name}: the name is reserved`),
    ...Object.keys(attributes)
      .filter((name) => RESERVED_OF_ATTRIBUTES.includes(name))
      .map((name) => `${type}.${name}: the name is reserved`),
    ...Object.keys(relationships)
      .filter((name) => name in attributes)
      .map((name) => `${type}.${name}: both an attribute and a relationship`),
  ]
}

const columnsOf = ({ attributes, relationships }: ResourceDefinition): readonly string[] => [
  ...Object.entries(attributes).flatMap(([name, attribute]) => [
    ...(isStored(attribute) ? [columnOf(name, attribute)] : []),
    ...(attribute.columns ?? []),
    ...(attribute.currencyColumn === undefined ? [] : [attribute.currencyColumn]),
  ]),
  ...Object.entries(relationships).flatMap(([name, relationship]) => {
    if (relationship.kind === 'polymorphicToOne') return Object.values(polymorphicKeyOf(name, relationship))
    if (relationship.kind === 'toOne') return [foreignKeyOf(name, relationship)]
    const { through } = relationship
    return through === undefined ? [] : [through.table, through.from, through.to]
  }),
]

const checkShape = (definition: ResourceDefinition): readonly string[] => {
  const { type, operations, isSingleton, abstract } = definition
  const writes = operations.filter((operation) => operation !== 'list' && operation !== 'retrieve')
  return [
    ...(operations.length === 0 ? [`${type}: has no operations`] : []),
    ...(isSingleton && operations.join() !== 'retrieve'
      ? [`${type}: a singleton can only be retrieved`]
      : []),
    ...(abstract !== undefined && writes.length > 0 ? [`${type}: an abstract type is only read`] : []),
  ]
}

const checkFamily = (definition: ResourceDefinition, find: Find): readonly string[] => {
  const { type, memberOf, abstract, table } = definition
  const violations: string[] = []
  for (const member of abstract?.members ?? []) {
    const found = find(member)
    if (found === undefined) violations.push(`${type}: unknown member type ${member}`)
    else if (found.memberOf !== type) violations.push(`${type}: ${member} does not say memberOf ${type}`)
  }
  if (memberOf !== undefined) {
    const family = find(memberOf)
    if (family === undefined) violations.push(`${type}: memberOf names an unknown type ${memberOf}`)
    else if (!family.abstract?.members.includes(type))
      violations.push(`${type}: ${memberOf} does not list it as a member`)
    else if (family.table !== table) violations.push(`${type}: must share the table of ${memberOf}`)
  }
  return violations
}

/** What a named filter stands for must be an attribute that is filtered, with a predicate that it has. */
const checkNamedFilters = (definition: ResourceDefinition, find: Find): readonly string[] =>
  Object.entries(definition.namedFilters).flatMap(([name, key]) => {
    const parts = key.split('.')
    const relationship = parts.length === 2 ? definition.relationships[parts[0] ?? ''] : undefined
    const crossed =
      relationship === undefined || relationship.kind === 'polymorphicToOne' ? undefined : relationship
    const on = parts.length === 1 ? definition : find(crossed?.target ?? '')
    const text = parts.at(-1) ?? ''
    const isKnown = predicates.some((predicate) => {
      const attribute = on?.attributes[text.slice(0, -(predicate.name.length + 1))]
      const kind = attribute?.filter === true ? valueKindOf(attribute.kind) : undefined
      return kind !== undefined && text.endsWith(`_${predicate.name}`) && predicate.kinds.includes(kind)
    })
    return isKnown ? [] : [`${definition.type}.${name}: the named filter stands for no filter: ${key}`]
  })

const checkAttribute = (
  name: string,
  attribute: Attribute,
  definition: ResourceDefinition,
): readonly string[] => {
  const violations: string[] = []
  const isTrigger = attribute.kind === 'trigger'
  const isCommon = commonAttributes[name] === attribute
  if (name in commonAttributes && !isCommon) violations.push('is a common attribute and is added by itself')
  if (name.startsWith('_') !== (isTrigger || isRenamed(name, attribute)))
    violations.push('triggers, and columns of another name, start with an underscore, nothing else does')
  if (
    isTrigger &&
    attribute.isCommand !== true &&
    attribute.argumentOf === undefined &&
    !((attribute.action ?? name.slice(1)) in definition.actions)
  ) {
    violations.push(
      `starts an action "${attribute.action ?? name.slice(1)}" that the definition does not have`,
    )
  }
  if (attribute.argumentOf !== undefined && definition.attributes[attribute.argumentOf]?.kind !== 'trigger')
    violations.push(`is an argument of "${attribute.argumentOf}", which is no trigger of the definition`)
  if (!isStored(attribute)) {
    if (attribute.filter) violations.push('a filter needs a stored attribute')
    if (attribute.sort) violations.push('a sort needs a stored attribute')
    if (attribute.write !== 'never' && attribute.kind === 'loaded')
      violations.push('a write needs a stored or computed attribute')
  }
  if (attribute.sort && (attribute.kind === 'object' || attribute.kind === 'list')) {
    violations.push('objects and lists have no order to sort by')
  }
  if (attribute.required && attribute.write === 'never')
    violations.push('is required but nobody may write it')
  if (attribute.min !== undefined && attribute.max !== undefined && attribute.min > attribute.max) {
    violations.push('min is above max')
  }
  if (attribute.sealed === true) violations.push(...checkSealed(attribute))
  if (attribute.kind === 'oneOf' && (attribute.values ?? []).length === 0)
    violations.push('allows no value at all')
  if (attribute.kind === 'cents') violations.push(...checkAmount(name, definition))
  return violations
}

/** What is sealed is another text in every row: nothing finds or orders it, and only who may read secrets reads it. */
const checkSealed = ({ kind, filter, sort, unique, show, secret }: Attribute): readonly string[] => [
  ...(['text', 'oneOf', 'object'].includes(kind) ? [] : ['only a text or an object can be sealed']),
  ...(filter || sort || unique ? ['what is sealed cannot be filtered, sorted or unique'] : []),
  ...(show === 'never' || (secret && kind !== 'object')
    ? []
    : ['what is sealed is never shown, or a secret text']),
]

/** `_external_price` of a line item is sent like a trigger, but kept and shown; its column has no underscore. */
const isRenamed = (name: string, { column }: Attribute): boolean => column === name.slice(1)

const checkAmount = (name: string, definition: ResourceDefinition): readonly string[] => {
  if (!name.endsWith('_cents')) return ['the name of an amount ends in _cents']
  return Object.values(companionsOf(name))
    .filter((companion) => companion in definition.attributes)
    .map((companion) => `its companion ${companion} is declared too`)
}

const checkRelationship = (
  relationship: Relationship,
  definition: ResourceDefinition,
  find: Find,
): readonly string[] => {
  const targets = relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
  const unknown = targets.filter((target) => find(target) === undefined)
  if (targets.length === 0) return ['has no target type']
  if (unknown.length > 0)
    return unknown.map((target) => `unknown target type ${target}: no resource has this type`)
  const violations: string[] = []
  if (relationship.required && relationship.write === 'never')
    violations.push('is required but nobody may write it')
  if (relationship.kind === 'toMany') return [...violations, ...checkToMany(relationship, definition, find)]
  if (relationship.kind === 'toOne' && relationship.virtual !== undefined) {
    if (relationship.sort) violations.push('a virtual relationship has no column to sort by')
    if (relationship.write !== 'never') violations.push('a virtual relationship cannot be written')
  }
  return violations
}

const checkToMany = (relationship: ToMany, definition: ResourceDefinition, find: Find): readonly string[] => {
  const { inverse, through, virtual, target } = relationship
  const sources = [inverse, through, virtual].filter((source) => source !== undefined)
  if (sources.length !== 1) return ['needs exactly one of inverse, through and virtual']
  if (relationship.write !== 'never' && through === undefined)
    return ['only a set stored in a table can be written']
  return inverse === undefined ? [] : checkInverse(inverse, target, definition, find)
}

const checkInverse = (
  inverse: string,
  target: string,
  definition: ResourceDefinition,
  find: Find,
): readonly string[] => {
  const back = find(target)?.relationships[inverse]
  const own = [definition.type, definition.memberOf]
  if (back === undefined || back.kind === 'toMany')
    return [`${target} has no to-one relationship "${inverse}"`]
  const agrees = back.kind === 'toOne' ? own.includes(back.target) : back.targets.includes(definition.type)
  if (agrees) return []
  const pointsTo = back.kind === 'toOne' ? back.target : back.targets.join(', ')
  return [`its inverse ${target}.${inverse} points to ${pointsTo}`]
}

const checkDeleteRule = ({ type, relationships, onDelete }: ResourceDefinition): readonly string[] =>
  onDelete.refuseWhile
    .filter((name) => relationships[name]?.kind !== 'toMany')
    .map((name) => `${type}: onDelete names "${name}", which is no to-many relationship`)
