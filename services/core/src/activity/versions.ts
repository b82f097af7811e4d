import { computed, object, text } from '@merx/jsonapi/attributes'
import type { Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { audited } from '../definitions/shared-relationships.ts'

const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** Of the application only what tells it apart; event_stores show all that is known. */
const briefWho = ({ who }: Row): unknown => {
  if (!isRecord(who) || !isRecord(who['application'])) return who
  const { id, kind, public: isPublic } = who['application']
  return { ...who, application: { id, kind, public: isPublic } }
}

/** One write of one record: each attribute it changed, before and after. */
export const versions = defineResource('versions', {
  summary: 'One write of one record: each attribute it changed, before and after.',
  model: 'version',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  attributes: {
    resource_type: text({ filter: true }),
    resource_id: text({ filter: true }),
    event: text(),
    changes: object(),
    who: computed(briefWho, { columns: ['who'] }),
  },
  relationships: audited,
})
