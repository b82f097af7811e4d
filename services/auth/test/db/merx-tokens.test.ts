/** What the command line says of issued tokens and withdrawn keys, on the database of a running service. */
import { systemClock } from '@merx/telemetry/clock'
import { eventually } from '@merx/testing/eventually'
import { inProcessClient } from '@merx/testing/in-process-client'
import { clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { merxOn } from '../support/run-merx.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'merx_tokens' })
})
afterAll(() => system.close())

const { run, json } = merxOn(() => system)

const ask = (secret?: string) =>
  system.token({
    grant_type: 'client_credentials',
    ...clientOf(system.credentials.integration),
    ...(secret === undefined ? {} : { client_secret: secret }),
  })

interface Event {
  number: number
  outcome: string
  error: string | null
  client_id: string
  token_id: string | null
  count: number
}

const eventsOnce = (count: number, more: readonly string[] = []): Promise<Event[]> =>
  eventually(async () => {
    const events = await json<Event[]>(['tokens', 'events', ...more])
    return events.length >= count ? events : undefined
  })

describe('merx tokens events', () => {
  it('lists what was issued and refused, newest first, by credential, outcome and page', async () => {
    await ask()
    await eventsOnce(1)
    await ask('wrong')
    await ask('wrong')
    const { clientId, id } = system.credentials.integration
    const [newest, oldest] = await eventsOnce(2, ['--credential', id])
    expect(newest).toMatchObject({
      outcome: 'refused',
      error: 'invalid_client',
      client_id: clientId,
      token_id: null,
    })
    expect(oldest).toMatchObject({ outcome: 'issued', error: null, count: 1 })
    const only = async (...filter: string[]) =>
      (await json<Event[]>(['tokens', 'events', ...filter])).map(({ number }) => number)
    expect(await only('--outcome', 'issued')).toEqual([oldest?.number])
    expect(await only('--organization', 'shop')).toEqual([oldest?.number])
    expect(await only('--before', String(newest?.number))).toEqual([oldest?.number])
    expect(await only('--limit', '1')).toHaveLength(1)
    expect(await only('--since', '2030-01-01')).toEqual([])
  })

  it('shows people one line an event, and refuses what it does not know', async () => {
    const table = await run(['tokens', 'events'])
    expect(table.out).toContain('invalid_client')
    expect((await run(['tokens', 'events', '--outcome', 'lost'])).code).toBe(2)
    expect((await run(['tokens', 'events', '--credential', 'nobody'])).code).toBe(1)
  })
})

describe('merx tokens inspect', () => {
  it('says of a refresh token whether another came of the same one, and was used instead', async () => {
    // The command line goes by the time of day.
    const api = inProcessClient((await system.another({ clock: systemClock })).app)
    const client = { client_id: system.credentials.salesChannel.clientId }
    const refreshTokenOf = async (grant: Record<string, string>): Promise<string> => {
      const { body } = await api.post('/oauth/token', { body: { ...client, ...grant } })
      return (body as { refresh_token: string }).refresh_token
    }
    const refresh = (refresh_token: string) => refreshTokenOf({ grant_type: 'refresh_token', refresh_token })
    const statusOf = async (token: string) =>
      (await json<{ status: string }>(['tokens', 'inspect', '-'], token)).status
    const signIn = { username: 'ann@example.com', password: 'correct horse', scope: 'market:code:europe' }
    const first = await refreshTokenOf({ grant_type: 'password', ...signIn })
    const [one, other] = [await refresh(first), await refresh(first)]
    expect([await statusOf(first), await statusOf(one), await statusOf(other)]).toEqual([
      'used',
      'accepted',
      'accepted',
    ])
    const next = await refresh(one)
    expect([await statusOf(next), await statusOf(other)]).toEqual(['accepted', 'overtaken'])
  })
})

describe('merx keys withdraw', () => {
  it('asks first, then ends the key and says so', async () => {
    const [{ kid } = { kid: '' }] = await json<{ kid: string }[]>(['keys', 'list'])
    expect((await run(['keys', 'withdraw', kid])).code).toBe(2)
    expect(await json(['keys', 'withdraw', kid, '--yes'])).toEqual({ kid, state: 'withdrawn' })
    const keys = await json<{ kid: string; state: string }[]>(['keys', 'list'])
    expect(keys).toEqual([expect.objectContaining({ state: 'active' })])
    expect(keys[0]?.kid).not.toBe(kid)
    const events = await json<{ subject: { id: string } }[]>(['audit', '--action', 'key.withdraw'])
    expect(events.map(({ subject }) => subject.id)).toEqual([kid])
  })

  it('knows no other key', async () => {
    const refused = await run(['keys', 'withdraw', 'ab'.repeat(32), '--yes'])
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('merx keys list shows those there are'),
    ])
  })
})
