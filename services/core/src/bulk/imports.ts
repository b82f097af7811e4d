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
import { interruptible } from './interruptible.ts'

export const IMPORT_STATUSES = ['pending', 'in_progress', 'interrupted', 'completed'] as const

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
    status: oneOf(IMPORT_STATUSES, { filter: true, sort: true }),
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
    attachment_url: computed(fileUrl, { columns: ['file_key'] }),
    _interrupt: trigger(),
  },
  relationships: { ...observed, ...audited },
  actions: { interrupt: (_row, { now }) => ({ status: 'interrupted', interrupted_at: now }) },
  rules: [interruptible],
})
