/** A token that speaks for a customer is good for as long as there is that customer (contract, Authentication). */
import type { Verifier } from '@merx/access-token/verifier'
import { AppError } from '@merx/errors/app-error'
import type { DeletedCustomers } from './deleted-customers.ts'

/** Throws AppError `invalid_token`, as for a revoked token, and whatever `verifier` throws. */
export const withPresentCustomers = (
  verifier: Verifier,
  deleted: Pick<DeletedCustomers, 'has'>,
): Verifier => ({
  verify: async (token) => {
    const caller = await verifier.verify(token)
    const { owner, organization, mode } = caller
    if (owner?.type === 'Customer' && deleted.has({ organizationId: organization.id, mode }, owner.id))
      throw new AppError('invalid_token', { cause: new Error('its customer was deleted') })
    return caller
  },
})
