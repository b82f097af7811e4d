import { boolean, instant, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../input-rules.ts'
import { ownOrganization } from './own-organization.ts'
import { performedByItsAct } from './performed-by-its-act.ts'

export const users = defineResource('users', {
  summary:
    'A person with a role in the organization, who signs in to its webapps and acts there with that role.',
  model: 'user',
  operations: ['list', 'retrieve', 'create', 'update', 'delete'],
  scope: 'organization',
  attributes: {
    email: text({ write: 'always', required: true, max: EMAIL_MAX, unique: true, filter: true, sort: true }),
    password: text({ write: 'always', required: true, min: PASSWORD_MIN, max: PASSWORD_MAX, show: 'never' }),
    first_name: text({ write: 'always', max: NAME_MAX, filter: true, sort: true }),
    last_name: text({ write: 'always', max: NAME_MAX, filter: true, sort: true }),
    time_zone: text({ write: 'always', max: 64, default: 'UTC', filter: true }),
    owner: boolean({ column: 'is_owner', filter: true }),
    disabled_at: instant({ filter: true, sort: true }),
    _disable: trigger(),
    _enable: trigger(),
  },
  relationships: {
    organization: ownOrganization(),
    role: toOne('roles', { write: 'always', required: true, include: true, filter: true, endpoint: false }),
  },
  actions: { disable: performedByItsAct, enable: performedByItsAct },
})
