import { toOne } from '@merx/jsonapi/relationships'

/** May be named when something is created, as the vendor's clients do; it can only be that of the token. */
export const ownOrganization = () =>
  toOne('organizations', { write: 'create', include: true, endpoint: false })
