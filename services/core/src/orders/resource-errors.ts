import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne } from '@merx/jsonapi/relationships'
import { audited } from '../definitions/shared-relationships.ts'

/** Why something that a job tried could not be done, such as placing an order later. */
export const resourceErrors = defineResource('resource_errors', {
  summary: 'Why something that a job tried with a record could not be done.',
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
