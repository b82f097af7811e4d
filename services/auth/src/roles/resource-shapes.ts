/**
 * The names of core's resources, fields and filters, to check the permissions of a role when it is written.
 * resource-shapes.json is generated from core's definitions by `npm run gen`.
 */
import { readFileSync } from 'node:fs'
import type { Attribute, AttributeKind, WritePolicy } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { createPublicIds } from '@merx/jsonapi/public-id'
import type { Registry } from '@merx/jsonapi/registry'
import type { Relationship } from '@merx/jsonapi/relationships'
import { compile } from '@merx/validation/compile'

interface AttributeShape {
  readonly kind: AttributeKind
  readonly write?: WritePolicy
  readonly filter?: boolean
  readonly show?: Attribute['show']
}

interface RelationshipShape {
  readonly kind: Relationship['kind']
  readonly targets: readonly string[]
  readonly write?: WritePolicy
  readonly filter?: boolean
}

interface ResourceShape {
  readonly isSingleton?: boolean
  readonly attributes: Readonly<Record<string, AttributeShape>>
  readonly relationships: Readonly<Record<string, RelationshipShape>>
}

const record = (values: object) => ({ type: 'object', additionalProperties: values })
const text = { type: 'string' }
const flag = { type: 'boolean' }

const check = compile<Readonly<Record<string, ResourceShape>>>(
  record({
    type: 'object',
    required: ['attributes', 'relationships'],
    properties: {
      isSingleton: flag,
      attributes: record({
        type: 'object',
        required: ['kind'],
        properties: { kind: text, write: text, filter: flag, show: text },
      }),
      relationships: record({
        type: 'object',
        required: ['kind', 'targets'],
        properties: { kind: text, targets: { type: 'array', items: text }, write: text, filter: flag },
      }),
    },
  }),
)

const load = (): Readonly<Record<string, ResourceShape>> => {
  const file = new URL('./resource-shapes.json', import.meta.url)
  const result = check(JSON.parse(readFileSync(file, 'utf8')))
  if (result.ok) return result.value
  throw new Error(
    `resource-shapes.json: ${result.violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`,
  )
}

const closed = { write: 'never', required: false, filter: false, sort: false, prohibited: false } as const

const toAttribute = (shape: AttributeShape): Attribute => ({
  ...closed,
  unique: false,
  show: 'always',
  secret: false,
  ...shape,
})

const toRelationship = ({ kind, targets, ...shape }: RelationshipShape): Relationship => {
  const declared = { ...closed, include: false, endpoint: true, ...shape }
  const [target = ''] = targets
  switch (kind) {
    case 'polymorphicToOne':
      return { ...declared, kind, targets }
    case 'toMany':
    case 'toOne':
      return { ...declared, kind, target }
  }
}

const mapValues = <T, U>(
  values: Readonly<Record<string, T>>,
  map: (value: T) => U,
): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))

const toDefinition = (
  type: string,
  { isSingleton, attributes, relationships }: ResourceShape,
): ResourceDefinition =>
  defineResource(type, {
    summary: '',
    model: '',
    singleton: isSingleton ?? false,
    operations: [],
    scope: 'environment',
    attributes: mapValues(attributes, toAttribute),
    relationships: mapValues(relationships, toRelationship),
  })

const definitions = Object.entries(load()).map(([type, shape]) => toDefinition(type, shape))
const byType = new Map(definitions.map((definition) => [definition.type, definition]))

/** The types that core serves, in the order of their names: what permissions may be about. */
export const RESOURCE_TYPES: readonly string[] = definitions.map(({ type }) => type)

const requireShape = (type: string): ResourceDefinition => {
  const definition = byType.get(type)
  if (definition === undefined) throw new Error(`resource-shapes.json has no type ${type}`)
  return definition
}

/** For reading filters only. Ids are of core, which alone can decode them; here they are checked by their shape. */
export const resourceShapes: Registry = {
  definitions,
  ids: createPublicIds({ secret: 'ids of core are not read here' }),
  find: (type) => byType.get(type),
  require: requireShape,
  findByPath: () => undefined,
  concreteTypesOf: (type) => [type],
}
