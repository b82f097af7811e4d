import { freshDatabase } from '@merx/testing/fresh-database'
import type { FreshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'
import type { Pool } from 'pg'
import { createChannelListener } from '../../src/channel-listener.ts'
import type { ChannelListener } from '../../src/channel-listener.ts'
import { createPool } from '../../src/pool.ts'

const NAME = 'merx-listener-test'
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${NAME}' AND datname = current_database()`

let database: FreshDatabase
let pool: Pool
let listener: ChannelListener | undefined

beforeAll(async () => {
  database = await freshDatabase({ name: 'listener' })
  pool = createPool({
    url: database.url,
    maxConnections: 1,
    statementTimeoutMs: 5000,
    applicationName: 'merx-listener-test-pool',
  })
})
afterEach(() => listener?.close())
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Never settles while a connection is left open; the server notices an end a moment after the client. */
const untilNobodyListens = async (): Promise<void> => {
  const { rowCount } = await pool.query(
    'SELECT FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
    [NAME],
  )
  if (rowCount !== 0) await untilNobodyListens()
}

/** A listener to `channels`, and a promise of the next call for each. */
const listening = (url: string, ...channels: readonly string[]) => {
  const heard = new Map<string, PromiseWithResolvers<undefined>>()
  const expectNext = (): void => {
    for (const channel of channels) heard.set(channel, Promise.withResolvers())
  }
  expectNext()
  const on = Object.fromEntries(
    channels.map((channel) => [channel, () => heard.get(channel)?.resolve(undefined)]),
  )
  listener = createChannelListener({ url, applicationName: NAME, on, log: silentLogger })
  return { listener, expectNext, next: (channel: string) => heard.get(channel)?.promise }
}

describe('channel listener', () => {
  it('calls what belongs to the channel, also when its name needs quoting', async () => {
    const { listener, next } = listening(database.url, 'changes', 'Re-named')
    await listener.start()
    await pool.query('NOTIFY "Re-named"')
    await next('Re-named')
    await pool.query('NOTIFY changes')
    await next('changes')
    expect(listener.isConnected()).toBe(true)
  })

  it('connects again after its connection was cut, and calls everything, since something may have been missed', async () => {
    const { listener, expectNext, next } = listening(database.url, 'changes', 'renames')
    await listener.start()
    await pool.query(CUT)
    await Promise.all([next('changes'), next('renames')])
    expect(listener.isConnected()).toBe(true)
    expectNext()
    await pool.query('NOTIFY renames')
    await next('renames')
  })

  it('rejects a start that cannot connect, and is not connected then', async () => {
    const { listener } = listening(`${database.url}_absent`, 'changes')
    await expect(listener.start()).rejects.toMatchObject({ code: '3D000' })
    expect(listener.isConnected()).toBe(false)
  })

  it('ends the connection that was still opening when it was closed', async () => {
    const { listener } = listening(database.url, 'changes')
    const started = listener.start()
    await listener.close()
    await started
    expect(listener.isConnected()).toBe(false)
    await untilNobodyListens()
  })
})
