import type { Area, VirtualRelationship } from '../engine/area.ts'
import { belongsTo } from '../engine/write/of-record.ts'
import { attachments } from './attachments.ts'
import { eventStores } from './event-stores.ts'
import { notifications } from './notifications.ts'
import { tagWorkflow } from './tag-workflow.ts'
import { tags } from './tags.ts'
import { versions } from './versions.ts'
import { tagging } from './write-tags.ts'

const LOG = { type: 'resource_type', number: 'record_id', repeatsFields: true, isLog: true } as const

/** Rows of versions or events about the record, by its own type even when it was reached through an abstract one. */
const logOfRecord: VirtualRelationship = ({ owner, target }, { params }, { type }) => [
  `${target}.resource_type = ${params.add(type, 'text')}`,
  `${target}.record_id = ${owner}.id`,
]

/** Attachments of a member of an abstract type. */
const attachmentsOfFamily: VirtualRelationship = ({ owner, target }, { params }, { memberOf = '' }) => [
  `${target}.attachable_type = ${params.add(memberOf, 'text')}`,
  `${target}.attachable_id = ${owner}.id`,
]

export const activity: Area = {
  resources: [versions, eventStores, tags, attachments, notifications],
  workflows: {
    attachments: belongsTo('attachable'),
    notifications: belongsTo('notifiable'),
    tags: tagWorkflow,
  },
  parents: {
    attachments: { type: 'attachable_type', number: 'attachable_id' },
    event_stores: LOG,
    notifications: { type: 'notifiable_type', number: 'notifiable_id' },
    versions: LOG,
  },
  virtualRelationships: { log_of_record: logOfRecord, attachments_of_family: attachmentsOfFamily },
  writeExtensions: [tagging],
  history: 'event_stores',
}
