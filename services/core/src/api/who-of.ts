import type { Caller } from '@merx/access-token/caller'
import type { Row } from '@merx/jsonapi/attributes'

/** Who writes, as the change log keeps it (core-conventions.md 8.5): the credential, and whom it speaks for. */
export const whoOf = ({ application, owner }: Caller): Row => ({
  application: {
    id: application.id,
    client_id: application.clientId,
    kind: application.kind,
    public: application.isPublic,
    confidential: application.isConfidential,
  },
  ...(owner === undefined ? {} : { owner: { id: owner.id, type: owner.type } }),
})
