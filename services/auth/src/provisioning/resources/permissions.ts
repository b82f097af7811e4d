import { boolean, object, oneOf } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { RESOURCE_TYPES } from '../../roles/resource-shapes.ts'

const action = () => boolean({ write: 'always', required: true, default: false, filter: true })

export const permissions = defineResource('permissions', {
  summary: 'What a custom role may do with one resource type of core.',
  model: 'permission',
  operations: ['list', 'retrieve', 'create', 'update', 'delete'],
  scope: 'organization',
  attributes: {
    subject: oneOf(RESOURCE_TYPES, { write: 'create', required: true, filter: true, sort: true }),
    can_create: action(),
    can_read: action(),
    can_update: action(),
    can_destroy: action(),
    restrictions: object({ write: 'always', default: {} }),
  },
  relationships: {
    organization: toOne('organizations', { include: true, endpoint: false }),
    role: toOne('roles', { write: 'create', required: true, include: true, filter: true, endpoint: false }),
  },
})
