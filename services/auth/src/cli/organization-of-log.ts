import { AppError } from '@merx/errors/app-error'
import { requireOrganization } from '../provisioning/find-records.ts'
import { listAudit } from '../store/audit-store.ts'
import type { Database } from '../store/prisma-client.ts'

/**
 * The id of an organization whose events are asked for. Logs outlive organizations: one that was deleted is found by the id
 * that the audit log has of it.
 * @throws AppError record_not_found
 */
export const organizationOfLog = async (reference: string, database: Database): Promise<string> => {
  try {
    return (await requireOrganization(reference, database)).id
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'record_not_found') throw error
    const events = await listAudit(database, { organizationId: reference, limit: 1 })
    if (events.length === 0) throw error
    return reference
  }
}
