import {
  boolean,
  computed,
  instant,
  integer,
  list,
  object,
  oneOf,
  text,
  trigger,
} from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { ALL_OPERATIONS, fileUrl, JOB_FORMATS } from '../definitions/shapes.ts'
import { audited, observed } from '../definitions/shared-relationships.ts'
import { importStates } from './job-states.ts'

/** Many records written by a worker. What it may be asked for is checked in imports/begin-import.ts. */
export const imports = defineResource('imports', {
  summary: 'Many records written by a worker.',
  model: 'import',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    resource_type: text({ write: 'create', required: true, max: 100, filter: true, sort: true }),
    format: oneOf(JOB_FORMATS, { write: 'create', default: 'json', filter: true, sort: true }),
    parent_resource_id: text({ write: 'create', max: 100, filter: true, sort: true }),
    status: oneOf(importStates.states, { filter: true, sort: true }),
    started_at: instant({ filter: true, sort: true }),
    completed_at: instant({ filter: true, sort: true }),
    interrupted_at: instant({ filter: true, sort: true }),
    // A list of objects, or in CSV one text; taken apart before the row is stored.
    inputs: list({ write: 'create', show: 'never' }),
    inputs_size: integer({ filter: true, sort: true }),
    errors_count: integer({ filter: true, sort: true }),
    warnings_count: integer({ filter: true, sort: true }),
    destroyed_count: integer({ filter: true, sort: true }),
    processed_count: integer({ filter: true, sort: true }),
    errors_log: object({ filter: true }),
    warnings_log: object({ filter: true }),
    cleanup_records: boolean({ write: 'create', default: false }),
    skip_errors: boolean({ write: 'create', default: false }),
    // items of orders hold line items
    attachment_url: computed(
      (row, context) =>
        fileUrl({ ...row, includes: row['resource_type'] === 'orders' ? ['line_items'] : [] }, context),
      { columns: ['file_key', 'requested_by'] },
    ),
    _interrupt: trigger({ isCommand: true }),
  },
  relationships: { ...observed, ...audited },
})
