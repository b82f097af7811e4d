/** Token events in PostgreSQL: appended in batches, read newest first, pruned by age and number. */
import type { TokenEvent } from '../audit/token-events.ts'
import { isGrantName } from '../grants/grant-names.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import type { TokenEvent as Row } from './generated/client.ts'
import type { Database } from './prisma-client.ts'

/** What events of one client usually share, by the names of the columns; what is left out is null. */
const sharedColumnsOf = (event: TokenEvent) => ({
  outcome: event.outcome,
  grant_name: event.grant,
  client_id: event.clientId,
  origin: event.origin,
  count: event.count,
  ...(event.outcome === 'refused'
    ? { error: event.error }
    : {
        organization_id: event.organizationId,
        owner_type: event.owner?.type,
        owner_id: event.owner?.id,
      }),
})

/** The same for events with the same shared columns; none of these texts holds a line break. */
const groupKeyOf = (event: TokenEvent): string => {
  const { outcome, grant, clientId, origin, count } = event
  const own =
    event.outcome === 'refused'
      ? event.error
      : `${event.organizationId}\n${event.owner?.type ?? ''}\n${event.owner?.id ?? ''}`
  return `${outcome}\n${grant ?? ''}\n${clientId ?? ''}\n${origin}\n${count}\n${own}`
}

/** Of each event its place among all of them, and what it shares with none. */
interface OwnColumns {
  readonly place: number[]
  readonly occurred_at: Date[]
  readonly token_id: (string | null)[]
  readonly request_id: (string | null)[]
}

type EventGroup = ReturnType<typeof sharedColumnsOf> & OwnColumns

const groupEvents = (events: readonly TokenEvent[]): readonly EventGroup[] => {
  const groups = new Map<string, EventGroup>()
  for (const [place, event] of events.entries()) {
    const key = groupKeyOf(event)
    let group = groups.get(key)
    if (group === undefined) {
      group = { ...sharedColumnsOf(event), place: [], occurred_at: [], token_id: [], request_id: [] }
      groups.set(key, group)
    }
    group.place.push(place)
    group.occurred_at.push(event.occurredAt)
    group.token_id.push(event.outcome === 'issued' ? event.tokenId : null)
    group.request_id.push(event.requestId ?? null)
  }
  return [...groups.values()]
}

/**
 * Thousands a second under load: one value for all of them, instead of one for each column of each row, and what events
 * share written once.
 */
export const appendTokenEvents = async (database: Database, events: readonly TokenEvent[]): Promise<void> => {
  await database.$executeRaw`
    INSERT INTO token_events (occurred_at, outcome, grant_name, error, client_id, organization_id,
                              owner_type, owner_id, token_id, origin, request_id, count)
    SELECT event.occurred_at, outcome, grant_name, error, client_id, organization_id,
           owner_type, owner_id, event.token_id, origin, event.request_id, count
    FROM json_to_recordset(${JSON.stringify(groupEvents(events))}::json) AS alike (
      outcome token_outcome, grant_name text, error text, client_id text, organization_id text,
      owner_type owner_type, owner_id text, origin text, count integer,
      place integer[], occurred_at timestamptz[], token_id uuid[], request_id text[]),
    unnest(alike.place, alike.occurred_at, alike.token_id, alike.request_id)
      AS event (place, occurred_at, token_id, request_id)
    ORDER BY event.place`
}

export interface TokenEventFilter {
  readonly clientId?: string | undefined
  readonly organizationId?: string | undefined
  readonly outcome?: TokenEvent['outcome'] | undefined
  readonly since?: Date | undefined
  readonly before?: bigint | undefined
  readonly limit: number
}

export type StoredTokenEvent = Omit<Row, 'grantName'> & { readonly grant: string | null }

/** Newest first. */
export const listTokenEvents = async (
  database: Database,
  { clientId, organizationId, outcome, since, before, limit }: TokenEventFilter,
): Promise<readonly StoredTokenEvent[]> => {
  const rows = await database.tokenEvent.findMany({
    where: {
      ...(clientId === undefined ? {} : { clientId }),
      ...(organizationId === undefined ? {} : { organizationId }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(since === undefined ? {} : { occurredAt: { gte: since } }),
      ...(before === undefined ? {} : { id: { lt: before } }),
    },
    orderBy: { id: 'desc' },
    take: limit,
  })
  return rows.map(({ grantName, ...row }) => ({
    ...row,
    grant: grantName !== null && isGrantName(grantName) ? grantName : null,
  }))
}

export const TOKEN_EVENT_DAYS = 30
export const TOKEN_EVENTS_MAX = 5_000_000
/** @returns how many rows went. */
export const pruneTokenEvents = async (
  database: Database,
  now: Date,
  rowsMax = TOKEN_EVENTS_MAX,
): Promise<number> => {
  const oldest = new Date(now.getTime() - TOKEN_EVENT_DAYS * 86_400_000)
  return deleteInBatches(
    (limit) => database.$executeRaw`
      DELETE FROM token_events WHERE id IN (
        SELECT id FROM token_events
        WHERE occurred_at < ${oldest} OR id <= (SELECT max(id) FROM token_events) - ${rowsMax}
        ORDER BY id LIMIT ${limit})`,
  )
}
