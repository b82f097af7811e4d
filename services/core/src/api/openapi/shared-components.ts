/** What the documents of all resources have in common, as components of OpenAPI. Data. */
import { jsonApiErrors } from '@merx/errors/catalogue'
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import type { Schema } from './attribute-schema.ts'

const url = { type: 'string', format: 'uri' }
const identifier = {
  type: 'object',
  required: ['type', 'id'],
  properties: { type: { type: 'string' }, id: { type: 'string' } },
}
const relationshipLinks = {
  type: 'object',
  required: ['self', 'related'],
  properties: { self: url, related: url },
}
const one = { anyOf: [identifier, { type: 'null' }] }
const many = { type: 'array', items: identifier }

export const sharedSchemas: Readonly<Record<string, Schema>> = {
  identifier,
  to_one: {
    type: 'object',
    description: 'Linkage data only where the relationship was included.',
    properties: { links: relationshipLinks, data: one },
  },
  to_many: {
    type: 'object',
    description: 'Linkage data only where the relationship was included.',
    properties: { links: relationshipLinks, data: many },
  },
  linkage_document: {
    type: 'object',
    required: ['data', 'links'],
    properties: {
      data: { anyOf: [one, many] },
      links: { type: 'object', additionalProperties: url },
      meta: { type: 'object' },
    },
  },
  sent_linkage: { type: 'object', required: ['data'], properties: { data: { anyOf: [one, many] } } },
  resource_meta: {
    type: 'object',
    required: ['mode', 'organization_id'],
    properties: { mode: { enum: ['test', 'live'] }, organization_id: { type: 'string' } },
  },
  included: {
    type: 'array',
    description: 'Every resource that the includes reach, once.',
    items: { type: 'object', required: ['type', 'id', 'links', 'attributes'] },
  },
  collection_meta: {
    type: 'object',
    required: ['record_count', 'page_count'],
    properties: {
      record_count: { type: 'integer', minimum: 0 },
      page_count: { type: 'integer', minimum: 0 },
    },
  },
  page_links: {
    type: 'object',
    required: ['first', 'last'],
    properties: { first: url, prev: url, next: url, last: url },
  },
  errors: {
    type: 'object',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['title', 'code', 'status'],
          properties: {
            title: { type: 'string' },
            detail: { type: 'string' },
            code: { type: 'string' },
            status: { type: 'string', pattern: '^[45]\\d\\d$' },
            source: {
              type: 'object',
              properties: {
                pointer: { type: 'string' },
                parameter: { type: 'string' },
                header: { type: 'string' },
              },
            },
            meta: { type: 'object' },
          },
        },
      },
    },
  },
}

const STATUSES = [400, 401, 404, 406, 409, 412, 413, 415, 422, 423, 429]

const codesOf = (status: number): readonly string[] =>
  Object.entries(jsonApiErrors).flatMap(([code, entry]) =>
    entry.status === status ? [code.toUpperCase()] : [],
  )

export const sharedResponses: Readonly<Record<string, Schema>> = Object.fromEntries(
  STATUSES.map((status) => [
    `error_${status}`,
    {
      description: `Refused: ${codesOf(status).join(', ')}.`,
      content: { [JSON_API_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/errors' } } },
    },
  ]),
)

/** References to them. */
export const errorResponses = (...statuses: readonly string[]): Readonly<Record<string, Schema>> =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/error_${status}` }]))
