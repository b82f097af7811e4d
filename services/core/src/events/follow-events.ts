/**
 * Events in the order in which their transactions were decided: a reader that goes on after its place misses none, however
 * late a transaction commits, and sees none that was rolled back (docs/adr/0091-webhooks.md).
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { RunStatement } from '../engine/database/run-statement.ts'

/** After the event `eventId` of transaction `transactionId`. */
export interface EventPlace {
  readonly transactionId: number
  readonly eventId: number
}

export interface FollowedEvent extends Row {
  readonly id: number
  readonly environment_id: number
  readonly name: string
  readonly resource_type: string
  readonly record_id: number
  readonly is_imported: boolean
  readonly created_at: Date
  readonly transaction_id: number
}

// Transactions below the oldest running one are all decided: nothing can still commit in front of them.
export const DECIDED = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint'

/** SQL of the rows of `events` after the place ($1, $2), as `followed`; `limit` rows in order. */
export const eventsAfter = (limit: number): string => `
  SELECT id, environment_id, name, resource_type, record_id, is_imported, created_at, transaction_id
  FROM events
  WHERE (transaction_id, id) > ($1::bigint, $2::bigint) AND transaction_id < ${DECIDED}
  ORDER BY transaction_id, id LIMIT ${limit}`

/** What one look at the events gives. */
export interface EventPage {
  readonly events: readonly FollowedEvent[]
  /** Everything up to here was looked at. */
  readonly through: EventPlace
  /** There may be more that is decided already. */
  readonly hasMore: boolean
}

/** Of all environments together: so a look never costs more, however few of them are wanted. */
const PAGE_MAX = 1_000

const PAGE = `
  WITH page AS MATERIALIZED (${eventsAfter(PAGE_MAX)})
  SELECT state.*, last.*, event.*
  FROM (SELECT ${DECIDED} AS decided, (SELECT count(*) FROM page) AS looked_at) AS state
  LEFT JOIN (
    SELECT transaction_id AS last_transaction_id, id AS last_id FROM page ORDER BY transaction_id DESC, id DESC LIMIT 1
  ) AS last ON true
  LEFT JOIN page AS event ON $3::bigint IS NULL OR event.environment_id = $3
  ORDER BY event.transaction_id, event.id`

interface PageState {
  readonly decided: number
  readonly looked_at: number
  readonly last_transaction_id: number | null
  readonly last_id: number | null
}
type PageRow = Row & PageState & (FollowedEvent | { readonly id: null })

/** The next events after the place, in order: of one environment, or of all. */
export const readEventPage = async (
  place: EventPlace,
  run: RunStatement,
  environmentId?: number,
): Promise<EventPage> => {
  const values = [place.transactionId, place.eventId, environmentId ?? null]
  const rows = await run<PageRow>({ text: PAGE, values })
  const [state] = rows
  if (state === undefined) throw new Error('PostgreSQL has no snapshot')
  const { decided, looked_at, last_transaction_id: transactionId, last_id: eventId } = state
  const hasMore = looked_at === PAGE_MAX && transactionId !== null && eventId !== null
  return {
    events: rows.filter((row): row is PageRow & FollowedEvent => row.id !== null),
    through: laterOf(place, hasMore ? { transactionId, eventId } : placeBelow(decided)),
    hasMore,
  }
}

/** The place after everything that is decided now, for a reader that begins. */
export const presentPlace = async (run: RunStatement): Promise<EventPlace> => {
  const [row] = await run<{ readonly decided: number }>({ text: `SELECT ${DECIDED} AS decided`, values: [] })
  if (row === undefined) throw new Error('PostgreSQL has no snapshot')
  return placeBelow(row.decided)
}

/** After everything of the transactions below. */
const placeBelow = (transactionId: number): EventPlace => ({
  transactionId: transactionId - 1,
  eventId: Number.MAX_SAFE_INTEGER,
})

export const placeOf = ({ transaction_id: transactionId, id: eventId }: FollowedEvent): EventPlace => ({
  transactionId,
  eventId,
})

export const isBefore = (a: EventPlace, b: EventPlace): boolean =>
  a.transactionId < b.transactionId || (a.transactionId === b.transactionId && a.eventId < b.eventId)

const laterOf = (a: EventPlace, b: EventPlace): EventPlace => (isBefore(a, b) ? b : a)
