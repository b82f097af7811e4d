import { instant, integer, object, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { observed, versioned } from '../definitions/shared-relationships.ts'
import { cleanupStates } from './job-states.ts'

/** Many records deleted by a worker. What it may be asked for is checked in cleanups/begin-cleanup.ts. */
export const cleanups = defineResource('cleanups', {
  summary: 'Many records deleted by a worker.',
  model: 'cleanup',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    resource_type: text({ write: 'create', required: true, max: 100, filter: true, sort: true }),
    status: oneOf(cleanupStates.states, { filter: true, sort: true }),
    started_at: instant({ filter: true, sort: true }),
    completed_at: instant({ filter: true, sort: true }),
    interrupted_at: instant({ filter: true, sort: true }),
    filters: object({ write: 'create', default: {} }),
    records_count: integer({ filter: true, sort: true }),
    errors_count: integer({ filter: true, sort: true }),
    processed_count: integer({ filter: true, sort: true }),
    errors_log: object({ filter: true }),
    _interrupt: trigger({ isCommand: true }),
  },
  relationships: { ...observed, ...versioned },
})
