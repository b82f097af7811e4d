import { runWithContext } from '@merx/telemetry/request-context'
import { withSpan } from '@merx/telemetry/span'
import { freshDatabase, type FreshDatabase } from '@merx/testing/fresh-database'
import type { CollectedSpan } from '@merx/testing/otlp-collector'
import { recordSpans, type SpanRecording } from '@merx/testing/record-spans'
import type { Pool } from 'pg'
import { createPool } from '../../src/pool.ts'

let database: FreshDatabase
let recording: SpanRecording
let pool: Pool

beforeAll(async () => {
  database = await freshDatabase({ name: 'traced' })
})
afterAll(() => database.drop())

beforeEach(async () => {
  recording = await recordSpans()
  pool = createPool({
    url: database.url,
    maxConnections: 1,
    statementTimeoutMs: 5_000,
    applicationName: 'traced',
  })
})

/** Ends everything, so that every span is sent. */
const collected = async (): Promise<readonly CollectedSpan[]> => {
  await pool.end()
  return recording.stop()
}

/** Without those of waiting for a connection. */
const queriesOf = (spans: readonly CollectedSpan[]) =>
  spans.filter(({ name }) => name.startsWith('pg.query:'))
const named = (spans: readonly CollectedSpan[], wanted: string) => spans.find(({ name }) => name === wanted)

describe('the span of a query', () => {
  it('has the statement and never its values, and is a child of the work that sent it', async () => {
    await withSpan('work', {}, () => pool.query('SELECT $1::text AS given', ['hunter2']))
    const spans = await collected()
    const [query] = queriesOf(spans)
    expect(query).toMatchObject({
      kind: 3,
      parentSpanId: named(spans, 'work')?.spanId,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': 'SELECT $1::text AS given',
      },
    })
    expect(query?.name).toMatch(/^pg\.query:SELECT .*traced/)
    expect(JSON.stringify(spans)).not.toContain('hunter2')
  })

  it('is marked when the query fails, and lets the error through', async () => {
    await expect(withSpan('work', {}, () => pool.query('SELECT nothing'))).rejects.toThrow('does not exist')
    const spans = await collected()
    expect([...queriesOf(spans), named(spans, 'work')]).toMatchObject([
      { hasFailed: true },
      { hasFailed: true },
    ])
  })

  it('names prepared statements, in and out of transactions', async () => {
    const client = await pool.connect()
    await withSpan('work', {}, () => client.query({ name: 'one', text: 'SELECT 1' }))
    client.release()
    expect(queriesOf(await collected())[0]?.attributes).toMatchObject({ 'db.postgresql.plan': 'one' })
  })

  it('stays with its own request when it had to wait for a connection', async () => {
    const names = ['first', 'second', 'third']
    await Promise.all(names.map((name) => withSpan(name, {}, () => pool.query('SELECT pg_sleep(0.05)'))))
    const spans = await collected()
    const parents = queriesOf(spans).map(({ parentSpanId }) => parentSpanId)
    const works = names.map((name) => named(spans, name)?.spanId)
    expect(parents.toSorted()).toEqual(works.toSorted())
  })

  it('is not made in a request that is not recorded', async () => {
    const context = { requestId: crypto.randomUUID() }
    const { rows } = await runWithContext(context, () => pool.query('SELECT 1 AS one'))
    expect(rows).toEqual([{ one: 1 }])
    expect(await collected()).toEqual([])
  })
})
