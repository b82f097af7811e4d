/** Refuses tokens of customers that were deleted or have another password since they signed in. */
import type { Caller } from '@merx/access-token/caller'
import type { Verifier } from '@merx/access-token/verifier'
import { AppError } from '@merx/errors/app-error'
import type { DeletedCustomers } from './deleted-customers.ts'

type CustomerNotes = Pick<DeletedCustomers, 'has' | 'passwordSetAtSeconds'>

const reasonToRefuse = (caller: Caller, notes: CustomerNotes): string | undefined => {
  const { owner, organization, mode, signedInAt, issuedAt } = caller
  if (owner?.type !== 'Customer') return undefined
  const environment = { organizationId: organization.id, mode }
  if (notes.has(environment, owner.id)) return 'its customer was deleted'
  const since = (signedInAt ?? issuedAt)?.getTime() ?? 0
  return since < notes.passwordSetAtSeconds(environment, owner.id) * 1000
    ? 'its customer has another password since'
    : undefined
}

/** Throws AppError `invalid_token`, as for a revoked token, and whatever `verifier` throws. */
export const withPresentCustomers = (verifier: Verifier, notes: CustomerNotes): Verifier => ({
  verify: async (token) => {
    const caller = await verifier.verify(token)
    const reason = reasonToRefuse(caller, notes)
    if (reason !== undefined) throw new AppError('invalid_token', { cause: new Error(reason) })
    return caller
  },
})
