/** The audit log in PostgreSQL: appended in the transaction of the act itself, read newest first. */
import { currentContext } from '@merx/telemetry/request-context'
import type { AuditAction, AuditEvent, RecordedEvent } from '../audit/audit-event.ts'
import type { AuditEvent as AuditRow } from './generated/client.ts'
import type { Database, DatabaseTransaction } from './prisma-client.ts'

/** Call it inside the transaction of the act: neither is there without the other. */
export const appendAudit = async (
  transaction: DatabaseTransaction,
  event: AuditEvent,
  at: Date,
): Promise<void> => {
  const { actor, action, subject, organizationId, details = {} } = event
  await transaction.auditEvent.create({
    data: {
      occurredAt: at,
      actorKind: actor.kind,
      actor: actor.name,
      origin: actor.origin,
      action,
      subjectType: subject.type,
      subjectId: subject.id,
      organizationId: organizationId ?? null,
      requestId: currentContext()?.requestId ?? null,
      details: details,
    },
  })
}

const fromRow = (row: AuditRow): RecordedEvent => ({
  id: row.id,
  occurredAt: row.occurredAt,
  actor: { kind: row.actorKind, name: row.actor, origin: row.origin },
  action: row.action as AuditAction,
  subject: { type: row.subjectType, id: row.subjectId },
  details: row.details as NonNullable<AuditEvent['details']>,
  ...(row.organizationId === null ? {} : { organizationId: row.organizationId }),
  ...(row.requestId === null ? {} : { requestId: row.requestId }),
})

export interface AuditFilter {
  readonly organizationId?: string | undefined
  readonly subjectId?: string | undefined
  readonly action?: AuditAction | undefined
  readonly since?: Date | undefined
  /** Events with lower numbers only: the next page. */
  readonly before?: bigint | undefined
  readonly limit: number
}

/** Newest first. */
export const listAudit = async (
  database: Database,
  filter: AuditFilter,
): Promise<readonly RecordedEvent[]> => {
  const { organizationId, subjectId, action, since, before, limit } = filter
  const rows = await database.auditEvent.findMany({
    where: {
      ...(organizationId === undefined ? {} : { organizationId }),
      ...(subjectId === undefined ? {} : { subjectId }),
      ...(action === undefined ? {} : { action }),
      ...(since === undefined ? {} : { occurredAt: { gte: since } }),
      ...(before === undefined ? {} : { id: { lt: before } }),
    },
    orderBy: { id: 'desc' },
    take: limit,
  })
  return rows.map(fromRow)
}
