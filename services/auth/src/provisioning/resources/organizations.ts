import { boolean, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { NAME_MAX } from '../input-rules.ts'

/** Slug, plan and region are the installation's affair: `merx organizations update`. */
export const organizations = defineResource('organizations', {
  summary: 'The organization of the token. Creating and deleting one is for operators: `merx organizations`.',
  model: 'organization',
  operations: ['list', 'retrieve', 'update'],
  scope: 'organization',
  attributes: {
    name: text({ write: 'update', required: true, max: NAME_MAX, filter: true, sort: true }),
    slug: text({ filter: true, sort: true }),
    enterprise: boolean({ column: 'is_enterprise', filter: true }),
    region: text({ filter: true }),
  },
  relationships: {
    roles: toMany('roles', { inverse: 'organization', include: true, endpoint: false }),
    users: toMany('users', { inverse: 'organization', include: true, endpoint: false }),
    api_credentials: toMany('api_credentials', { inverse: 'organization', include: true, endpoint: false }),
  },
})
