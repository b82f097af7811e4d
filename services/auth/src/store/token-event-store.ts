/** Token events in PostgreSQL: appended in batches, read newest first, pruned by age and number. */
import type { TokenEvent } from '../audit/token-events.ts'
import { isGrantName } from '../grants/grant-names.ts'
import type { TokenEvent as Row } from './generated/client.ts'
import type { Database } from './prisma-client.ts'

/** By the names of the columns; what is left out is null. */
const toRow = (event: TokenEvent) => ({
  occurred_at: event.occurredAt,
  outcome: event.outcome,
  grant_name: event.grant,
  client_id: event.clientId,
  origin: event.origin,
  request_id: event.requestId,
  count: event.count,
  ...(event.outcome === 'refused'
    ? { error: event.error }
    : {
        organization_id: event.organizationId,
        owner_type: event.owner?.type,
        owner_id: event.owner?.id,
        token_id: event.tokenId,
      }),
})

/** Thousands a second under load: one value for all of them, instead of one for each column of each row. */
export const appendTokenEvents = async (database: Database, events: readonly TokenEvent[]): Promise<void> => {
  await database.$executeRaw`
    INSERT INTO token_events (occurred_at, outcome, grant_name, error, client_id, organization_id,
                              owner_type, owner_id, token_id, origin, request_id, count)
    SELECT occurred_at, outcome, grant_name, error, client_id, organization_id,
           owner_type, owner_id, token_id, origin, request_id, count
    FROM json_to_recordset(${JSON.stringify(events.map(toRow))}::json) AS event (
      occurred_at timestamptz, outcome token_outcome, grant_name text, error text, client_id text,
      organization_id text, owner_type owner_type, owner_id text, token_id uuid, origin text,
      request_id text, count integer)`
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
const ROWS_A_STATEMENT = 10_000
const STATEMENTS_MAX = 200

/** @returns how many rows went. */
export const pruneTokenEvents = async (
  database: Database,
  now: Date,
  rowsMax = TOKEN_EVENTS_MAX,
): Promise<number> => {
  const oldest = new Date(now.getTime() - TOKEN_EVENT_DAYS * 86_400_000)
  let removed = 0
  for (let statements = 0; statements < STATEMENTS_MAX; statements += 1) {
    const count = await database.$executeRaw`
      DELETE FROM token_events WHERE id IN (
        SELECT id FROM token_events
        WHERE occurred_at < ${oldest} OR id <= (SELECT max(id) FROM token_events) - ${rowsMax}
        ORDER BY id LIMIT ${ROWS_A_STATEMENT})`
    removed += count
    if (count < ROWS_A_STATEMENT) break
  }
  return removed
}
