import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne } from '@merx/jsonapi/relationships'
import { audited } from '../definitions/shared-relationships.ts'

/** Why an order or return could not go on, attribute by attribute. Only Merx writes them. */
export const resourceErrors = defineResource('resource_errors', {
  summary: 'Why an order or return could not go on, attribute by attribute.',
  model: 'resourceError',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  attributes: {
    name: text({ filter: true, sort: true }),
    code: text({ filter: true, sort: true }),
    message: text({ filter: true }),
  },
  relationships: {
    resource: polymorphicToOne(['orders', 'returns'], { include: true }),
    ...audited,
  },
})
