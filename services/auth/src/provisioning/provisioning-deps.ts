/** The dependencies of every function of provisioning. */
import type { Clock } from '@merx/telemetry/clock'
import type { Actor } from '../audit/audit-event.ts'
import type { Core } from '../core/core-client.ts'
import type { Database, DatabaseTransaction } from '../store/prisma-client.ts'

/** What must hold around every act in an organization, seen by the transaction of the act itself. */
export interface Guard {
  /** @throws AppError when the act may not begin. */
  before(transaction: DatabaseTransaction, organizationId: string): Promise<void>
  /** @throws AppError when what the act did may not stay; it is rolled back. */
  after(transaction: DatabaseTransaction, organizationId: string): Promise<void>
}

export interface ProvisioningDeps {
  readonly database: Database
  readonly core: Pick<Core, 'putEnvironment' | 'listRecordTypes'>
  readonly clock: Clock
  /** Who acts, for the audit log. */
  readonly actor: Actor
  /** Of acts over HTTP; an operator has the database itself. */
  readonly guard?: Guard
  /** The transaction this act is part of. */
  readonly within?: DatabaseTransaction
}
