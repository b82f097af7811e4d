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
import type { Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { ALL_OPERATIONS, fileUrl, JOB_FORMATS } from '../definitions/shapes.ts'
import { observed, versioned } from '../definitions/shared-relationships.ts'
import { exportStates } from './job-states.ts'

/** Per cent, with one decimal. */
const progress = ({ processed_count: done, records_count: all }: Row): number =>
  Math.floor((1000 * Number(done)) / Math.max(Number(all), 1)) / 10

/** Many records written to a file by a worker. What it may be asked for is checked in exports/begin-export.ts. */
export const exports = defineResource('exports', {
  summary: 'Many records written to a file by a worker.',
  model: 'export',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    resource_type: text({ write: 'create', required: true, max: 100, filter: true, sort: true }),
    format: oneOf(JOB_FORMATS, { write: 'create', default: 'json', filter: true, sort: true }),
    status: oneOf(exportStates.states, { filter: true, sort: true }),
    includes: list({ write: 'create', max: 30, default: [] }),
    fields: list({ write: 'create', max: 200, default: [] }),
    filters: object({ write: 'create', default: {} }),
    dry_data: boolean({ write: 'create', default: false }),
    escape_formulas: boolean({ write: 'create', default: true }),
    jwt_filters: boolean({ write: 'create', default: false }),
    started_at: instant({ filter: true, sort: true }),
    completed_at: instant({ filter: true, sort: true }),
    estimated_completion_at: instant(),
    interrupted_at: instant({ filter: true, sort: true }),
    records_count: integer({ filter: true, sort: true }),
    processed_count: integer({ filter: true, sort: true }),
    progress: computed(progress),
    attachment_url: computed(
      (row, context) => (row['status'] === 'completed' ? fileUrl(row, context) : null),
      {
        columns: ['file_key', 'requested_by'],
      },
    ),
    errors_log: object({ filter: true }),
    _start: trigger({ isCommand: true }),
    _interrupt: trigger({ isCommand: true }),
  },
  relationships: { ...observed, ...versioned },
})
