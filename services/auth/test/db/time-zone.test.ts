/** A PostgreSQL server whose time zone is not UTC: what is written and read is the same instant, by whichever way. */
import { createPool } from '@merx/postgres/pool'
import { freshDatabase, type FreshDatabase } from '@merx/testing/fresh-database'
import type { Pool } from 'pg'
import { migrationsFolder } from '../../src/migrate.ts'
import { createDatabase, type Database } from '../../src/store/prisma-client.ts'
import { appendTokenEvents, listTokenEvents } from '../../src/store/token-event-store.ts'
import { runSql } from '../support/sql.ts'

let fresh: FreshDatabase
let pool: Pool
let database: Database

beforeAll(async () => {
  fresh = await freshDatabase({ name: 'time_zone', migrations: migrationsFolder })
  const name = new URL(fresh.url).pathname.slice(1)
  await runSql(fresh.url, `ALTER DATABASE "${name}" SET timezone TO 'America/New_York'`)
  pool = createPool({
    url: fresh.url,
    maxConnections: 2,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  })
  database = createDatabase(pool)
})
afterAll(async () => {
  await database.$disconnect()
  await pool.end()
  await fresh.drop()
})

/** An hour that New York does not have. */
const INSTANT = new Date('2026-03-08T02:30:00.123Z')

describe('with a server in New York', () => {
  it('an event is listed at the time at which it occurred', async () => {
    const event = { outcome: 'refused', error: 'invalid_client', occurredAt: INSTANT } as const
    await appendTokenEvents(database, [
      { ...event, grant: 'client_credentials', clientId: 'x', origin: '192.0.2.7', requestId: 'r', count: 1 },
    ])
    const since = new Date(INSTANT.getTime() - 1)
    const [listed] = await listTokenEvents(database, { since, limit: 10 })
    expect(listed?.occurredAt).toEqual(INSTANT)
    const after = new Date(INSTANT.getTime() + 1)
    expect(await listTokenEvents(database, { since: after, limit: 10 })).toEqual([])
  })

  it('what Prisma writes is the same instant to everybody else', async () => {
    const tokenId = '0b9bd1a4-6a3c-4f0e-9a55-0d1c2a3b4c5d'
    await database.revocation.create({
      data: { tokenId, expiresAt: INSTANT, createdAt: INSTANT, stateVersion: 1 },
    })
    const rows = await runSql(fresh.url, 'SELECT expires_at, created_at FROM revocations')
    expect(rows).toEqual([{ expires_at: INSTANT, created_at: INSTANT }])
  })
})
