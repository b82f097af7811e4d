import { object, oneOf, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { AUDIT_ACTIONS } from '../../audit/audit-event.ts'

const found = { filter: true, sort: true } as const

/** It happened at `created_at`. The log only grows: nothing of it is written or deleted here. */
export const auditEvents = defineResource('audit_events', {
  summary: 'What was done in the organization, by whom and from where: one entry of the audit log.',
  model: 'auditEvent',
  operations: ['list', 'retrieve'],
  scope: 'organization',
  attributes: {
    action: oneOf(AUDIT_ACTIONS, found),
    actor_kind: oneOf(['operator', 'client', 'user', 'system'], found),
    actor: text(found),
    origin: text(found),
    subject_type: text(found),
    subject_id: text(found),
    request_id: text({ filter: true }),
    details: object(),
  },
  relationships: { organization: toOne('organizations', { include: true, endpoint: false }) },
})
