/**
 * Acts over HTTP: in the transaction of the act, whoever acts is still an administrator of that very organization, and
 * one is left afterwards. Administrators of one organization act one after the other.
 */
import { AppError } from '@merx/errors/app-error'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import { requireRowId } from '../store/public-ids.ts'
import type { Guard } from './provisioning-deps.ts'

export interface Administrator {
  readonly userId: string
  readonly email: string
  readonly organizationId: string
}

const administrators = (organizationId: string, transaction: DatabaseTransaction, userId?: string) =>
  transaction.user.count({
    where: {
      organizationId: requireRowId('organizations', organizationId),
      disabledAt: null,
      role: { kind: 'admin' },
      ...(userId === undefined ? {} : { id: requireRowId('users', userId) }),
    },
  })

export const createAdministratorGuard = ({
  userId,
  organizationId,
}: Pick<Administrator, 'userId' | 'organizationId'>): Guard => ({
  before: async (transaction, ofOrganization) => {
    // Look-ups have been narrowed to it already: this is an internal error, not of the request.
    if (ofOrganization !== organizationId) throw new Error('an administrator acts in another organization')
    // Not FOR UPDATE: that would wait for every row being made in the organization.
    await transaction.$executeRaw`
      SELECT 1 FROM organizations WHERE id = ${requireRowId('organizations', organizationId)} FOR NO KEY UPDATE`
    if ((await administrators(organizationId, transaction, userId)) === 0) throw new AppError('unauthorized')
  },
  after: async (transaction) => {
    if ((await administrators(organizationId, transaction)) > 0) return
    throw new AppError('locked', {
      detail:
        'The organization would have no enabled user with the admin role any more; make another one administrator first.',
    })
  },
})
