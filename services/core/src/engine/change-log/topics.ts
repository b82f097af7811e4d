/** Which events a change emits: `<type>.<event>`, of those that the areas list for the type. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '../registry.ts'

interface Change {
  readonly definition: ResourceDefinition
  readonly before: Row | undefined
  readonly after: Row | undefined
  /** Events besides those that follow from the columns. */
  readonly events?: readonly string[]
}

type Changes = Readonly<Record<string, readonly [unknown, unknown]>>

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
export const topicsOf = (change: Change, changes: Changes, registry: Registry): readonly string[] => {
  const { type } = change.definition
  const known = registry.facts.topics[type] ?? []
  return eventsOf(change, changes)
    .filter((event) => known.includes(event))
    .map((event) => `${type}.${event}`)
}

const eventsOf = ({ before, after, events = [] }: Change, changes: Changes): readonly string[] => {
  if (after === undefined) return ['destroy']
  const status = changes['status']?.[1]
  const hasNewPassword =
    (before?.['password_hash'] ?? null) === null && (after['password_hash'] ?? null) !== null
  return [
    ...(before === undefined ? ['create'] : []),
    ...(typeof status === 'string' ? [EVENT_OF_STATUS[status] ?? status] : []),
    ...(hasNewPassword ? ['create_password'] : []),
    ...(before !== undefined && 'metadata' in changes ? ['metadata_update'] : []),
    ...events,
  ]
}
