/** A definition → the schemas of its resource objects and of the documents that create and update it. Pure. */
import { companionsOf, isStored } from '@merx/jsonapi/attributes'
import type { Attribute } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { acceptedTypes } from '@merx/jsonapi/parse-linkage'
import type { Relationship } from '@merx/jsonapi/relationships'
import type { WriteOperation } from '@merx/jsonapi/rules'
import { mayWrite } from '@merx/jsonapi/writable-members'
import type { Registry } from '../../engine/registry.ts'
import { answeredSchema, sentSchema } from './attribute-schema.ts'
import type { Schema } from './attribute-schema.ts'

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** Name → schema: the resource object and, where it can be written, what is sent. */
export const resourceSchemas = (
  definition: ResourceDefinition,
  registry: Registry,
): Readonly<Record<string, Schema>> => {
  const { type, operations } = definition
  return {
    [type]: resourceObject(definition, registry),
    ...(operations.includes('create')
      ? { [`${type}_create`]: sentDocument(definition, 'create', registry) }
      : {}),
    ...(operations.includes('update')
      ? { [`${type}_update`]: sentDocument(definition, 'update', registry) }
      : {}),
  }
}

/** Sparse fieldsets leave members out, so none but the four is required. */
const resourceObject = (definition: ResourceDefinition, registry: Registry): Schema => ({
  type: 'object',
  description: definition.summary,
  required: ['id', 'type', 'links', 'attributes', 'meta'],
  properties: {
    id: { type: 'string' },
    type: { enum: registry.concreteTypesOf(definition.type) },
    links: { type: 'object', required: ['self'], properties: { self: { type: 'string', format: 'uri' } } },
    attributes: { type: 'object', properties: answeredAttributes(definition) },
    relationships: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(definition.relationships).map(([name, relationship]) => [
          name,
          refTo(relationship.kind === 'toMany' ? 'to_many' : 'to_one'),
        ]),
      ),
    },
    meta: refTo('resource_meta'),
  },
})

const answeredAttributes = ({ attributes }: ResourceDefinition): Schema =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      if (attribute.show === 'never') return []
      const schema = describe(attribute, answeredSchema(attribute))
      if (attribute.kind !== 'cents') return [[name, schema]]
      const { float, formatted } = companionsOf(name)
      return [
        [name, schema],
        [float, { type: ['number', 'null'] }],
        [formatted, { type: ['string', 'null'] }],
      ]
    }),
  )

const describe = ({ show, secret }: Attribute, schema: Schema): Schema => {
  const notes = [
    ...(show === 'single' ? ['Only in documents of one resource.'] : []),
    ...(secret ? ['Shown to confidential credentials only.'] : []),
  ]
  return notes.length === 0 ? schema : { ...schema, description: notes.join(' ') }
}

const sentDocument = (
  definition: ResourceDefinition,
  operation: WriteOperation,
  registry: Registry,
): Schema => {
  const attributes = Object.entries(definition.attributes).filter(([, { write }]) =>
    mayWrite(write, operation),
  )
  const relationships = Object.entries(definition.relationships).filter(([, { write }]) =>
    mayWrite(write, operation),
  )
  const isCreation = operation === 'create'
  const requiredAttributes = isCreation
    ? namesOf(attributes.filter(([, each]) => each.required && isStored(each)))
    : []
  const requiredRelationships = isCreation
    ? namesOf(relationships.filter(([, { required }]) => required))
    : []
  return {
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: [
          'type',
          ...(isCreation ? [] : ['id']),
          ...(requiredAttributes.length > 0 ? ['attributes'] : []),
          ...(requiredRelationships.length > 0 ? ['relationships'] : []),
        ],
        additionalProperties: false,
        properties: {
          type: { const: definition.type },
          ...(isCreation ? {} : { id: { type: 'string' } }),
          attributes: {
            type: 'object',
            additionalProperties: false,
            ...(requiredAttributes.length > 0 ? { required: requiredAttributes } : {}),
            properties: Object.fromEntries(attributes.map(([name, each]) => [name, sentAttribute(each)])),
          },
          relationships: {
            type: 'object',
            additionalProperties: false,
            ...(requiredRelationships.length > 0 ? { required: requiredRelationships } : {}),
            properties: Object.fromEntries(
              relationships.map(([name, each]) => [name, sentLinkage(each, registry)]),
            ),
          },
          links: { type: 'object' },
          meta: { type: 'object' },
        },
      },
    },
  }
}

const namesOf = (entries: readonly (readonly [string, unknown])[]): readonly string[] =>
  entries.map(([name]) => name)

const sentAttribute = (attribute: Attribute): Schema =>
  attribute.prohibited
    ? { ...sentSchema(attribute), description: 'A sales channel may not send it.' }
    : sentSchema(attribute)

const sentLinkage = (relationship: Relationship, registry: Registry): Schema => {
  const identifier = {
    type: 'object',
    required: ['type', 'id'],
    properties: { type: { enum: acceptedTypes(relationship, registry) }, id: { type: 'string' } },
  }
  const one = relationship.required ? identifier : { anyOf: [identifier, { type: 'null' }] }
  const data = relationship.kind === 'toMany' ? { type: 'array', items: identifier } : one
  return { type: 'object', required: ['data'], properties: { data } }
}
