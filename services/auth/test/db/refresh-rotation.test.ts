/** Rotation under concurrency, and what a replay ends, on real PostgreSQL. */
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'rotation' })
})
afterAll(() => system.close())

const refreshOf = ({ body }: InProcessResponse) => (body as { refresh_token: string }).refresh_token

const signIn = () =>
  system.token({
    grant_type: 'password',
    client_id: system.credentials.salesChannel.clientId,
    username: 'ann@example.com',
    password: 'correct horse',
    scope: 'market:code:europe',
  })

const refresh = (refreshToken: string) =>
  system.token({
    grant_type: 'refresh_token',
    client_id: system.credentials.salesChannel.clientId,
    refresh_token: refreshToken,
  })

describe('rotation', () => {
  it('gives simultaneous uses of one token tokens of their own, all of one family', async () => {
    const token = refreshOf(await signIn())
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(new Set(answers.map(refreshOf)).size).toBe(10)
    system.clock.advance(11)
    expect((await refresh(token)).status).toBe(400)
    const later = await Promise.all(answers.map((answer) => refresh(refreshOf(answer))))
    expect(later.map(({ status }) => status)).toEqual(Array(10).fill(400))
  })

  it('keeps one line of successors: use of a second one ends the family', async () => {
    const token = refreshOf(await signIn())
    const [one, other] = (await Promise.all([refresh(token), refresh(token)])).map(refreshOf)
    const next = await refresh(one ?? '')
    expect(next.status).toBe(200)
    // Whoever holds the other one is not who went on: within the grace or not.
    expect((await refresh(other ?? '')).status).toBe(400)
    expect((await refresh(refreshOf(next))).status).toBe(400)
  })

  it('keeps the first of several lines of successors that are used at once', async () => {
    const token = refreshOf(await signIn())
    const lines = (await Promise.all(Array.from({ length: 6 }, () => refresh(token)))).map(refreshOf)
    const answers = await Promise.all(lines.map((line) => refresh(line)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    const after = await Promise.all(
      answers.filter(({ status }) => status === 200).map((each) => refresh(refreshOf(each))),
    )
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 400))
  })

  it('ends every access token of a replayed family', async () => {
    const first = await signIn()
    await refresh(refreshOf(first))
    system.clock.advance(11)
    await refresh(refreshOf(first))
    const rows = await runSql<{ open: string }>(
      system.databaseUrl,
      `SELECT count(*) AS open FROM refresh_tokens t JOIN refresh_families f ON f.id = t.family_id
       WHERE f.revoked_at IS NOT NULL AND t.access_expires_at > $1
         AND NOT EXISTS (SELECT 1 FROM revocations r WHERE r.token_id = t.access_token_id)`,
      [system.clock.now()],
    )
    expect(rows).toEqual([{ open: '0' }])
  })

  it('keeps no refresh token, secret or password in clear', async () => {
    const token = refreshOf(await signIn())
    const tables = await runSql<{ name: string }>(
      system.databaseUrl,
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    )
    for (const { name } of tables) {
      const rows = await runSql(system.databaseUrl, `SELECT row_to_json(t)::text AS text FROM "${name}" t`)
      const dump = JSON.stringify(rows)
      for (const secret of [
        token,
        system.credentials.integration.clientSecret,
        'a good password',
        'PRIVATE KEY',
      ]) {
        expect(dump.includes(secret)).toBe(false)
      }
    }
  })
})
