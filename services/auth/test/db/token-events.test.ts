/** What the token endpoint answered, as the database keeps it. */
import { createPool } from '@merx/postgres/pool'
import { eventually } from '@merx/testing/eventually'
import { inProcessClient } from '@merx/testing/in-process-client'
import { createDatabase, type Database } from '../../src/store/prisma-client.ts'
import { pruneTokenEvents, TOKEN_EVENT_DAYS } from '../../src/store/token-event-store.ts'
import { assertionOf, claimsOf, clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
let database: Database
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  system = await startTestSystem({ name: 'token_events', env: { TRUST_PROXY: '1' } })
  closers.push(() => system.close())
  const pool = createPool({
    url: system.databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  })
  database = createDatabase(pool)
  closers.push(
    () => pool.end(),
    () => database.$disconnect(),
  )
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

interface Row {
  outcome: string
  grant_name: string | null
  error: string | null
  client_id: string | null
  token_id: string | null
  owner_id: string | null
  origin: string
  count: number
}

/** Once so many answers are in them; they are written a moment after the answer. */
const untilWritten = (answers: number): Promise<Row[]> =>
  eventually(async () => {
    const rows = await runSql<Row>(system.databaseUrl, 'SELECT * FROM token_events ORDER BY id')
    return answersIn(rows) >= answers && rows
  })

const answersIn = (rows: readonly Row[]): number => rows.reduce((sum, { count }) => sum + count, 0)

/** Refusals of one kind that were written at different moments as one row. */
const addedUp = (rows: readonly Row[]): Row[] => {
  const kinds = new Map<string, Row>()
  for (const row of rows) {
    const kind = JSON.stringify([row.outcome, row.grant_name, row.error, row.client_id, row.token_id])
    const first = kinds.get(kind)
    kinds.set(kind, { ...(first ?? row), count: (first?.count ?? 0) + row.count })
  }
  return [...kinds.values()]
}

const from = { 'X-Forwarded-For': '192.0.2.7' }

describe('events of the token endpoint', () => {
  it('tell of issued tokens once, of reused ones not at all, of refusals added up, and hold no secret', async () => {
    const { integration, salesChannel, webapp } = system.credentials
    const ask = () => system.token({ grant_type: 'client_credentials', ...clientOf(integration) }, from)
    const first = await ask()
    await Promise.all(Array.from({ length: 20 }, ask))
    const signIn = (password: string) =>
      system.token(
        {
          grant_type: 'password',
          client_id: salesChannel.clientId,
          username: 'ann@example.com',
          password,
          scope: 'market:code:europe',
        },
        from,
      )
    const customer = await signIn('correct horse')
    for (let count = 0; count < 3; count += 1) await signIn('a wrong password')
    const bearer = await system.token(
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        ...clientOf(webapp),
        assertion: assertionOf({ custom_claim: {} }),
      },
      from,
    )
    await system.token({ grant_type: 'nonsense', client_id: '<b>' }, from)

    const written = await untilWritten(7)
    const rows = addedUp(written)
    expect(
      rows.map(({ outcome, grant_name: grant, error, count }) => [outcome, grant, error, count]),
    ).toEqual([
      ['issued', 'client_credentials', null, 1],
      ['issued', 'password', null, 1],
      ['refused', 'password', 'invalid_grant', 3],
      ['issued', 'urn:ietf:params:oauth:grant-type:jwt-bearer', null, 1],
      ['refused', null, 'unsupported_grant_type', 1],
    ])
    expect(rows.map((row) => row.token_id)).toEqual([
      claimsOf(first)['jti'],
      claimsOf(customer)['jti'],
      null,
      claimsOf(bearer)['jti'],
      null,
    ])
    expect(rows[1]).toMatchObject({
      client_id: salesChannel.clientId,
      owner_id: 'customerAA',
      origin: '192.0.2.7',
    })
    expect(rows[4]).toMatchObject({ client_id: null })
    const text = JSON.stringify(written)
    for (const secret of [integration.clientSecret, 'a wrong password', 'correct horse', 'eyJ', '<b>'])
      expect(text).not.toContain(secret)
  })

  it('are written when the service stops', async () => {
    const before = answersIn(await untilWritten(7))
    const other = await system.another()
    await inProcessClient(other.app).post('/oauth/token', { body: {} })
    await other.close()
    expect(answersIn(await untilWritten(before + 1))).toBe(before + 1)
  })

  it('go after thirty days, and beyond a number of rows', async () => {
    const rows = await untilWritten(8)
    const inDays = (days: number) => new Date(system.clock.now().getTime() + days * 86_400_000)
    expect(await pruneTokenEvents(database, inDays(TOKEN_EVENT_DAYS - 1))).toBe(0)
    expect(await pruneTokenEvents(database, system.clock.now(), 2)).toBe(rows.length - 2)
    expect(await pruneTokenEvents(database, inDays(TOKEN_EVENT_DAYS + 1))).toBe(2)
  })
})
