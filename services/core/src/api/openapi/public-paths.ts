/** GET /api/public/… as paths of OpenAPI. Data. */
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import type { Schema } from './attribute-schema.ts'

const answered = (description: string, mediaType: string): Schema => ({
  200: { description, content: { [mediaType]: { schema: { type: 'object' } } } },
})

const schemaPath = (name: string, ruled: string): Schema => ({
  get: {
    operationId: `public_${name}_schema`,
    security: [],
    summary: `The JSON Schema that rules of ${ruled} are checked with.`,
    responses: answered('A JSON Schema of 2020-12.', 'application/schema+json'),
  },
})

/** For everybody. */
export const publicPaths: Readonly<Record<string, Schema>> = {
  '/api/public/resources': {
    get: {
      operationId: 'public_resources',
      security: [],
      summary: 'The manifest of types: their operations, fields, relationships and filters.',
      responses: answered('One entry for each type, in `data`.', JSON_API_MEDIA_TYPE),
    },
  },
  '/api/public/schemas/order_rules': schemaPath('order_rules', 'flex promotions'),
  '/api/public/schemas/price_rules': schemaPath('price_rules', 'prices and price lists'),
}
