import { ALL_MARKETS } from '@merx/access-token/parse-scope'
import { computed, instant, integer, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { CREDENTIAL_KINDS } from '../../clients/credential.ts'
import { CUSTOM_LIFETIME_SECONDS_MAX, CUSTOM_LIFETIME_SECONDS_MIN } from '../../clients/lifetimes.ts'
import { NAME_MAX } from '../input-rules.ts'
import { URI_MAX } from '../redirect-uri-violation.ts'
import { ownOrganization } from './own-organization.ts'
import { performedByItsAct } from './performed-by-its-act.ts'

/** The shape of auth.md 9.2, with what disables one. */
export const apiCredentials = defineResource('api_credentials', {
  summary:
    'What applications get tokens with. Each belongs to one mode. Its id is that of the token’s application.',
  model: 'credential',
  table: 'credentials',
  operations: ['list', 'retrieve', 'create', 'update', 'delete'],
  scope: 'organization',
  attributes: {
    name: text({ write: 'always', required: true, max: NAME_MAX, filter: true, sort: true }),
    kind: oneOf(CREDENTIAL_KINDS, { write: 'create', required: true, filter: true, sort: true }),
    confidential: computed((row) => row['kind'] !== 'sales_channel'),
    redirect_uri: text({ write: 'always', max: URI_MAX, filter: true }),
    client_id: text({ filter: true }),
    client_secret: computed((row) => row['client_secret'], { show: 'single', secret: true }),
    scopes: computed(() => ALL_MARKETS),
    expires_in: integer({
      column: 'expires_in_seconds',
      write: 'always',
      min: CUSTOM_LIFETIME_SECONDS_MIN,
      max: CUSTOM_LIFETIME_SECONDS_MAX,
      filter: true,
    }),
    mode: oneOf(['test', 'live'], {
      write: 'create',
      required: true,
      default: 'test',
      filter: true,
      sort: true,
    }),
    custom: computed(() => false),
    disabled_at: instant({ filter: true, sort: true }),
    _disable: trigger(),
    _enable: trigger(),
    _rotate_secret: trigger(),
  },
  relationships: {
    organization: ownOrganization(),
    role: toOne('roles', { write: 'always', include: true, filter: true, endpoint: false }),
  },
  actions: { disable: performedByItsAct, enable: performedByItsAct, rotate_secret: performedByItsAct },
})
