/** The definitions → an OpenAPI 3.1 document of the core interface. Pure. */
import type { Operation, ResourceDefinition } from '@merx/jsonapi/define-resource'
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import type { Relationship } from '@merx/jsonapi/relationships'
import type { Registry } from '../../engine/registry.ts'
import type { Schema } from './attribute-schema.ts'
import { checkRulesPath } from './check-rules-path.ts'
import { eventStreamPath } from './event-stream-path.ts'
import { linkageWriteOperations } from './linkage-writes.ts'
import { publicPaths } from './public-paths.ts'
import {
  collectionParameters,
  sharedParameters,
  singleParameters,
  writeParameters,
} from './query-parameters.ts'
import { refTo, resourceSchemas } from './resource-schemas.ts'
import { errorResponses, sharedResponses, sharedSchemas } from './shared-components.ts'

export const buildOpenApi = (registry: Registry, version: string): Schema => {
  const { definitions } = registry
  return {
    openapi: '3.1.1',
    info: {
      title: 'Merx core',
      version,
      summary: 'JSON:API collections of commerce resources.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: definitions.map(({ type, summary }) => ({ name: type, description: summary })),
    paths: Object.assign(
      {},
      eventStreamPath,
      checkRulesPath,
      publicPaths,
      ...definitions.map((definition) => pathsOf(definition, registry)),
    ) as Schema,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'From POST {auth_url}/oauth/token.',
        },
      },
      parameters: sharedParameters,
      responses: sharedResponses,
      schemas: Object.assign(
        {},
        sharedSchemas,
        ...definitions.map((definition) => resourceSchemas(definition, registry)),
      ) as Schema,
    },
  }
}

const pathsOf = (definition: ResourceDefinition, registry: Registry): Readonly<Record<string, Schema>> => {
  const path = `/api/${definition.path}`
  if (definition.isSingleton) return { [path]: { get: retrieve(definition) } }
  const has = (operation: Operation): boolean => definition.operations.includes(operation)
  const collection = {
    ...(has('list') ? { get: list(definition) } : {}),
    ...(has('create') ? { post: write(definition, 'create') } : {}),
  }
  const single = {
    ...(has('retrieve') ? { get: retrieve(definition) } : {}),
    ...(has('update') ? { patch: write(definition, 'update') } : {}),
    ...(has('delete') ? { delete: remove(definition) } : {}),
  }
  const related = Object.entries(definition.relationships).flatMap(([name, relationship]) =>
    relationship.endpoint ? relatedPaths(definition, name, relationship, registry) : [],
  )
  return {
    ...(Object.keys(collection).length === 0 ? {} : { [path]: collection }),
    ...(Object.keys(single).length === 0
      ? {}
      : { [`${path}/{id}`]: { parameters: [{ $ref: '#/components/parameters/id' }], ...single } }),
    ...Object.fromEntries(related),
  }
}

const operation = (definition: ResourceDefinition, verb: string, more: Schema): Schema => ({
  operationId: `${verb}_${definition.type}`,
  tags: [definition.type],
  ...more,
})

const list = (definition: ResourceDefinition): Schema =>
  operation(definition, 'list', {
    summary: `A page of ${definition.type}.`,
    parameters: collectionParameters(definition),
    responses: { 200: collectionOf([definition.type]), ...errorResponses('400', '401', '406', '429') },
  })

const retrieve = (definition: ResourceDefinition): Schema =>
  operation(definition, 'retrieve', {
    summary: `One of the ${definition.type}.`,
    parameters: [...singleParameters(definition), { $ref: '#/components/parameters/if_none_match' }],
    responses: { 200: singleOf([definition.type]), ...errorResponses('400', '401', '404', '406', '429') },
  })

const write = (definition: ResourceDefinition, verb: 'create' | 'update'): Schema =>
  operation(definition, verb, {
    parameters:
      verb === 'create'
        ? writeParameters(definition)
        : [...writeParameters(definition), { $ref: '#/components/parameters/if_match' }],
    requestBody: {
      required: true,
      content: { [JSON_API_MEDIA_TYPE]: { schema: refTo(`${definition.type}_${verb}`) } },
    },
    responses: {
      [verb === 'create' ? '201' : '200']: singleOf([definition.type]),
      ...errorResponses(
        '400',
        '401',
        ...(verb === 'create' ? [] : ['404']),
        '406',
        '409',
        ...(verb === 'create' ? [] : ['412']),
        '413',
        '415',
        '422',
        '429',
      ),
    },
  })

const remove = (definition: ResourceDefinition): Schema =>
  operation(definition, 'delete', {
    parameters: [{ $ref: '#/components/parameters/if_match' }],
    responses: {
      204: { description: 'It is gone.' },
      ...errorResponses('400', '401', '404', '406', '412', '423', '429'),
    },
  })

const relatedPaths = (
  definition: ResourceDefinition,
  name: string,
  relationship: Relationship,
  registry: Registry,
): readonly (readonly [string, Schema])[] => {
  const path = `/api/${definition.path}/{id}`
  const isMany = relationship.kind === 'toMany'
  const types = relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
  const targets = types.map((type) => registry.require(type))
  const [target] = targets
  if (target === undefined) return []
  const names = targets.map(({ type }) => type)
  const parameters = isMany ? collectionParameters(target) : singleParameters(target)
  const answers = errorResponses('400', '401', '404', '406', '429')
  const at = (verb: string, response: Schema): Schema => ({
    parameters: [{ $ref: '#/components/parameters/id' }],
    get: {
      operationId: `${verb}_${definition.type}_${name}`,
      tags: [definition.type],
      parameters,
      responses: { 200: response, ...answers },
    },
  })
  return [
    [`${path}/${name}`, at('related', isMany ? collectionOf(names) : singleOf(names, true))],
    [
      `${path}/relationships/${name}`,
      {
        ...at('linkage', jsonApi('Linkage only.', refTo('linkage_document'))),
        ...linkageWriteOperations(definition, name, relationship),
      },
    ],
  ]
}

const jsonApi = (description: string, schema: Schema): Schema => ({
  description,
  content: { [JSON_API_MEDIA_TYPE]: { schema } },
})

const oneOf = (types: readonly string[]): Schema =>
  types.length === 1 ? refTo(types[0] ?? '') : { anyOf: types.map(refTo) }

const singleOf = (types: readonly string[], mayBeNull = false): Schema =>
  jsonApi('The resource.', {
    type: 'object',
    required: ['data'],
    properties: {
      data: mayBeNull ? { anyOf: [oneOf(types), { type: 'null' }] } : oneOf(types),
      included: refTo('included'),
    },
  })

const collectionOf = (types: readonly string[]): Schema =>
  jsonApi('A page.', {
    type: 'object',
    required: ['data', 'meta', 'links'],
    properties: {
      data: { type: 'array', items: oneOf(types) },
      included: refTo('included'),
      meta: refTo('collection_meta'),
      links: refTo('page_links'),
    },
  })
