/** PATCH, POST and DELETE of a relationship's linkage as operations of OpenAPI. Pure. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import type { Relationship } from '@merx/jsonapi/relationships'
import { mayWrite } from '@merx/jsonapi/writable-members'
import type { Schema } from './attribute-schema.ts'
import { refTo } from './resource-schemas.ts'
import { errorResponses } from './shared-components.ts'

/** None where an update of the resource may not name the relationship. */
export const linkageWriteOperations = (
  { type, operations }: ResourceDefinition,
  name: string,
  { kind, write }: Relationship,
): Schema => {
  if (!operations.includes('update') || !mayWrite(write, 'update')) return {}
  const operation = (verb: string, summary: string): Schema => ({
    operationId: `${verb}_${type}_${name}`,
    tags: [type],
    summary,
    parameters: [{ $ref: '#/components/parameters/if_match' }],
    requestBody: {
      required: true,
      content: { [JSON_API_MEDIA_TYPE]: { schema: refTo('sent_linkage') } },
    },
    responses: {
      204: { description: 'The relationship is what was asked for.' },
      ...errorResponses('400', '401', '404', '406', '409', '412', '413', '415', '422', '429'),
    },
  })
  const patch = operation('set', `Sets ${name}.`)
  if (kind !== 'toMany') return { patch }
  return {
    patch,
    post: operation('add', `Adds to ${name}.`),
    delete: operation('remove', `Removes from ${name}.`),
  }
}
