/** The transaction of one act of provisioning: who acts must still be allowed to when it takes effect. */
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'

/** Reads what the act has written so far, when it is one of several in a transaction. */
export const readerOf = ({ within, database }: ProvisioningDeps): DatabaseTransaction => within ?? database

/** One transaction under the guard; inside another act it is part of that one. */
export const act = <T>(
  organizationId: string,
  deps: ProvisioningDeps,
  work: (transaction: DatabaseTransaction, at: Date) => Promise<T>,
): Promise<T> => {
  const { within, database, guard, clock } = deps
  if (within !== undefined) return work(within, clock.now())
  return database.$transaction(async (transaction) => {
    await guard?.before(transaction, organizationId)
    const outcome = await work(transaction, clock.now())
    await guard?.after(transaction, organizationId)
    return outcome
  })
}

/** Several acts that take effect together or not at all. */
export const actTogether = <T>(
  organizationId: string,
  deps: ProvisioningDeps,
  work: (deps: ProvisioningDeps) => Promise<T>,
): Promise<T> => act(organizationId, deps, (within) => work({ ...deps, within }))
