/** What writes are known as to those who wait for them: `<resource>.<event>`, and which changes give which. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'

interface Happening {
  readonly definition: ResourceDefinition
  readonly before: Row | undefined
  readonly after: Row | undefined
  readonly isTagged?: boolean
}

type Changes = Readonly<Record<string, readonly [unknown, unknown]>>

/** Of the types that are built, the events of core-conventions.md 11.3 that writes give; workflows to come give the rest. */
const TOPICS: Readonly<Record<string, readonly string[]>> = {
  addresses: ['tagged'],
  customers: ['create', 'create_password', 'metadata_update', 'destroy', 'tagged'],
  exports: ['create', 'start', 'complete', 'interrupt', 'destroy'],
  imports: ['create', 'start', 'complete', 'interrupt', 'destroy'],
  line_items: ['tagged'],
  orders: [
    'create',
    'draft',
    'pending',
    'placing',
    'place',
    'approve',
    'cancel',
    'start_editing',
    'destroy',
    'tagged',
  ],
  skus: ['tagged'],
}

/** A state that was reached → the event that reached it, where the two have not the same name. */
const EVENT_OF_STATUS: Readonly<Record<string, string>> = {
  placed: 'place',
  approved: 'approve',
  cancelled: 'cancel',
  editing: 'start_editing',
  in_progress: 'start',
  completed: 'complete',
  interrupted: 'interrupt',
}

/** In the order in which they happened. */
export const topicsOf = (happening: Happening, changes: Changes): readonly string[] => {
  const { type } = happening.definition
  const known = TOPICS[type] ?? []
  return eventsOf(happening, changes)
    .filter((event) => known.includes(event))
    .map((event) => `${type}.${event}`)
}

/** Whether a new row of the type gives any; one is tagged after it was created. */
export const happensAtCreation = (type: string): boolean =>
  (TOPICS[type] ?? []).some((event) => event !== 'tagged')

const eventsOf = ({ before, after, isTagged }: Happening, changes: Changes): readonly string[] => {
  if (after === undefined) return ['destroy']
  const status = changes['status']?.[1]
  const hasNewPassword =
    (before?.['password_hash'] ?? null) === null && (after['password_hash'] ?? null) !== null
  return [
    ...(before === undefined ? ['create'] : []),
    ...(typeof status === 'string' ? [EVENT_OF_STATUS[status] ?? status] : []),
    ...(hasNewPassword ? ['create_password'] : []),
    ...(before !== undefined && 'metadata' in changes ? ['metadata_update'] : []),
    ...(isTagged === true ? ['tagged'] : []),
  ]
}
