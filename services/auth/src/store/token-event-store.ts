/** Token events in PostgreSQL: appended in batches, read newest first, pruned by age and number. */
import type { TokenEvent } from '../audit/token-events.ts'
import { isGrantName } from '../grants/grant-names.ts'
import type { Prisma, TokenEvent as Row } from './generated/client.ts'
import type { Database } from './prisma-client.ts'

const toRow = (event: TokenEvent): Prisma.TokenEventCreateManyInput => ({
  occurredAt: event.occurredAt,
  outcome: event.outcome,
  grantName: event.grant ?? null,
  clientId: event.clientId ?? null,
  origin: event.origin,
  requestId: event.requestId ?? null,
  count: event.count,
  ...(event.outcome === 'refused'
    ? { error: event.error }
    : {
        organizationId: event.organizationId,
        ownerType: event.owner?.type ?? null,
        ownerId: event.owner?.id ?? null,
        tokenId: event.tokenId,
      }),
})

export const appendTokenEvents = async (database: Database, events: readonly TokenEvent[]): Promise<void> => {
  await database.tokenEvent.createMany({ data: events.map(toRow) })
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
