import { createPool } from '@merx/postgres/pool'
import type { Pool } from 'pg'
import { createDatabase, type Database } from '../../src/store/prisma-client.ts'
import { pruneExpired } from '../../src/store/prune-expired.ts'
import { clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
let pool: Pool
let database: Database
beforeAll(async () => {
  system = await startTestSystem({ name: 'prune' })
  pool = createPool({
    url: system.databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  })
  database = createDatabase(pool)
})
afterAll(async () => {
  await database.$disconnect()
  await pool.end()
  await system.close()
})

const counts = async () => {
  const [row] = await runSql<Record<'revocations' | 'tokens' | 'families', string>>(
    system.databaseUrl,
    `SELECT (SELECT count(*) FROM revocations) AS revocations, (SELECT count(*) FROM refresh_tokens) AS tokens,
            (SELECT count(*) FROM refresh_families) AS families`,
  )
  return row
}

const signIn = async () => {
  const { body } = await system.token({
    grant_type: 'password',
    client_id: system.credentials.salesChannel.clientId,
    username: 'ann@example.com',
    password: 'correct horse',
    scope: 'market:code:europe',
  })
  return body as { refresh_token: string }
}

describe('pruning', () => {
  it('removes revocations and refresh tokens once they have expired, and nothing before', async () => {
    const { body } = await system.token({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.integration),
    })
    const { access_token: token } = body as { access_token: string }
    await system.api.post('/oauth/revoke', { body: { ...clientOf(system.credentials.integration), token } })
    await signIn()
    expect(await pruneExpired(database, system.clock.now())).toBe(0)

    system.clock.advance(7_200)
    expect(await pruneExpired(database, system.clock.now())).toBe(1)
    expect(await counts()).toEqual({ revocations: '0', tokens: '1', families: '1' })

    system.clock.advance(14 * 86_400)
    const alive = await signIn()
    expect(await pruneExpired(database, system.clock.now())).toBe(2)
    expect(await counts()).toEqual({ revocations: '0', tokens: '1', families: '1' })
    const body2 = {
      grant_type: 'refresh_token',
      client_id: system.credentials.salesChannel.clientId,
      refresh_token: alive.refresh_token,
    }
    expect((await system.token(body2)).status).toBe(200)
  })

  it('still keeps one successor of a refresh token reused within its grace period, after that token expired', async () => {
    const refresh = async (refreshToken: string) => {
      const { clientId } = system.credentials.salesChannel
      const grant = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }
      const { status, body } = await system.token(grant)
      return { status, refreshToken: (body as { refresh_token?: string }).refresh_token ?? '' }
    }
    const { refresh_token: shared } = await signIn()
    system.clock.advance(13 * 86_400)
    const [one, other] = [await refresh(shared), await refresh(shared)]
    system.clock.advance(2 * 86_400)
    await pruneExpired(database, system.clock.now())
    const next = await refresh(one.refreshToken)
    expect(next.status).toBe(200)
    expect((await refresh(other.refreshToken)).status).toBe(400)
    expect((await refresh(next.refreshToken)).status).toBe(400)

    system.clock.advance(15 * 86_400)
    await pruneExpired(database, system.clock.now())
    expect(await counts()).toMatchObject({ tokens: '0' })
  })

  it('removes more than a batch at once, so that no rate of sign-ins is too high', async () => {
    await pruneExpired(database, system.clock.now())
    await signIn()
    const expired = new Date(system.clock.now().getTime() - 1_000).toISOString()
    await runSql(
      system.databaseUrl,
      `WITH families AS (
         INSERT INTO refresh_families (credential_id, scope, grant_name, created_at)
         SELECT credential_id, scope, grant_name, '${expired}' FROM refresh_families, generate_series(1, 25000)
         RETURNING id)
       INSERT INTO refresh_tokens (family_id, token_hash, access_token_id, access_expires_at, created_at, expires_at)
       SELECT id, sha256(id::text::bytea), gen_random_uuid(), '${expired}', '${expired}', '${expired}' FROM families`,
    )
    await runSql(
      system.databaseUrl,
      `INSERT INTO revocations (token_id, expires_at, state_version, created_at)
       SELECT gen_random_uuid(), '${expired}', 1, '${expired}' FROM generate_series(1, 25000)`,
    )
    expect(await counts()).toEqual({ revocations: '25000', tokens: '25001', families: '25001' })
    await pruneExpired(database, system.clock.now())
    expect(await counts()).toEqual({ revocations: '0', tokens: '1', families: '1' })
  })
})
