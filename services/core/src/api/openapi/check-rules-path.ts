/** POST /api/rules/check as a path of OpenAPI. Data. */
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import { RULED_TYPE } from '../../rules-engine/rules.ts'
import type { Schema } from './attribute-schema.ts'
import { errorResponses } from './shared-components.ts'

export const checkRulesPath: Readonly<Record<string, Schema>> = {
  '/api/rules/check': {
    post: {
      operationId: 'check_rules',
      tags: [RULED_TYPE],
      summary:
        'What rules say of orders that are sent with them: which are met, by what, and for which lines.',
      requestBody: {
        required: true,
        content: {
          [JSON_API_MEDIA_TYPE]: {
            schema: {
              type: 'object',
              required: ['payload', 'rules'],
              properties: {
                payload: { type: 'array', minItems: 1, maxItems: 10, items: { type: 'object' } },
                rules: { type: 'array', minItems: 1, items: { type: 'object' } },
              },
            },
          },
        },
      },
      responses: {
        200: {
          description: 'One for each payload: `match`, and `rules` with their conditions and actions.',
          content: {
            [JSON_API_MEDIA_TYPE]: {
              schema: {
                type: 'object',
                required: ['data'],
                properties: { data: { type: 'array', items: { type: 'object' } } },
              },
            },
          },
        },
        ...errorResponses('400', '401', '406', '422', '429'),
      },
    },
  },
}
