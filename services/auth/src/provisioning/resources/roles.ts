import { oneOf, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ROLE_KINDS } from '../../clients/credential.ts'
import { NAME_MAX } from '../input-rules.ts'
import { ownOrganization } from './own-organization.ts'

export const roles = defineResource('roles', {
  summary: 'What integrations and users may do. Changes reach running services within a second.',
  model: 'role',
  operations: ['list', 'retrieve', 'create', 'update', 'delete'],
  scope: 'organization',
  attributes: {
    name: text({ write: 'always', required: true, max: NAME_MAX, unique: true, filter: true, sort: true }),
    kind: oneOf(ROLE_KINDS, { write: 'create', required: true, default: 'custom', filter: true, sort: true }),
  },
  relationships: {
    organization: ownOrganization(),
    permissions: toMany('permissions', { inverse: 'role', include: true, endpoint: false }),
    users: toMany('users', { inverse: 'role', include: true, endpoint: false }),
    api_credentials: toMany('api_credentials', { inverse: 'role', include: true, endpoint: false }),
  },
  onDelete: refuseWhileReferencedBy('users', 'api_credentials'),
})
