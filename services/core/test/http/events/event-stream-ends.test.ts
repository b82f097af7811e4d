/** docs/how-to/follow-events.md: how many streams there may be, how one ends, and that none harms another. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { listen } from '@merx/http/listen'
import { eventually } from '@merx/testing/eventually'
import { marketClaim, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { permission, tokenWith } from '../support/restricted-role.ts'
import { detailsOf, openStream, openStreamingCore, refusalOf } from './stream-listener.ts'
import type { ListenOptions, StreamingCore } from './stream-listener.ts'

const TOKEN_ENDED = ': the access token is no longer valid, or may not read events any more'

const LIMITS = { keepAliveMs: 200, unreadMs: 500, processMax: 20 }

let streaming: StreamingCore
let core: TestCore
beforeAll(async () => {
  streaming = await openStreamingCore('event_stream_ends', LIMITS)
  ;({ core } = streaming)
})
beforeEach(() => core.pool.query('DELETE FROM events'))
afterEach(() => streaming.closeStreams())
afterAll(() => streaming.close())

const follow = (token = core.tokens.admin, options: ListenOptions = {}) => streaming.follow(token, options)

const emit: StreamingCore['emit'] = (...parameters) => streaming.emit(...parameters)

describe('limits', () => {
  test('ten streams of a token; what was closed counts no longer', async () => {
    const token = await core.tokens.mint({ jti: 'cccccccc-0000-4000-8000-000000000001' })
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(token)))
    const refused = await follow(token)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(detailsOf(refused)).toContain('10 event streams')
    const other = await core.tokens.mint({ jti: 'cccccccc-0000-4000-8000-000000000002' })
    expect((await follow(other)).status).toBe(200)
    await streams[0]?.close()
    await eventually(async () => (await follow(token)).status === 200)
  })

  test('so many of a process', async () => {
    const tokens = await Promise.all(
      [1, 2, 3].map((turn) => core.tokens.mint({ jti: `dddddddd-0000-4000-8000-00000000000${turn}` })),
    )
    await eventually(async () => {
      const answers = await Promise.all(
        tokens.flatMap((token) => Array.from({ length: 7 }, () => follow(token))),
      )
      return answers.filter(({ status }) => status === 200).length === LIMITS.processMax
    })
    const refused = await follow(tokens[2])
    expect(refusalOf(refused)).toEqual([503, ['SERVICE_UNAVAILABLE', undefined]])
    expect(refused.headers.get('retry-after')).toBe('5')
  })
})

describe('the end', () => {
  test('of a revoked token: nothing more is sent', async () => {
    const jti = 'eeeeeeee-0000-4000-8000-000000000001'
    const stream = await follow(await core.tokens.mint({ jti }))
    await emit(1)
    await stream.topics(1)
    core.revoked.add(jti)
    await emit(1, 'customers.destroy')
    await stream.ended
    expect(stream.messages).toHaveLength(1)
    expect(stream.comments.at(-1)).toBe(TOKEN_ENDED)
  })

  test('of a role that may not read events any more', async () => {
    const token = await tokenWith(core, permission('events'), permission('customers'))
    const stream = await follow(token)
    const [id = ''] = [...core.roles.keys()].slice(-1)
    core.roles.set(id, { kind: 'custom', permissions: [permission('customers')] })
    await emit(1)
    await stream.ended
    expect([stream.messages.length, stream.comments.at(-1)]).toEqual([0, TOKEN_ENDED])
  })

  test('of an expired token comes although nothing happens', async () => {
    const exp = Math.floor(core.clock.now().getTime() / 1_000) + 60
    const stream = await follow(await core.tokens.mint({ exp }))
    core.clock.advance(61)
    await stream.ended
    expect(stream.comments.at(-1)).toBe(TOKEN_ENDED)
  })

  test('of a listener that does not read; the others get everything', async () => {
    const socket = connect(streaming.server.port, '127.0.0.1')
    await once(socket, 'connect')
    const lines = [
      'GET /api/events/stream?from=start HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${core.tokens.admin}`,
    ]
    socket.pause()
    socket.on('error', () => undefined)
    const closed = once(socket, 'close')
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const reader = await follow()
    for (let turn = 0; turn < 20; turn += 1) await emit(5_000)
    await reader.topics(100_000)
    // What the kernel holds for it is read now; the server has given up before that.
    socket.resume()
    await closed
    expect(socket.bytesRead).toBeLessThan(100_000 * 100)
    expect(new Set(reader.messages.map(({ id }) => id)).size).toBe(100_000)
  })

  test('of one whose events cannot be judged; the others go on', async () => {
    core.roles.set('rScopedRol', {
      kind: 'custom',
      permissions: [permission('events'), permission('orders')],
    })
    const role = { id: 'rScopedRol', kind: 'custom' }
    const scoped = await follow(
      await core.tokens.mint({ role, market: marketClaim([1]), scope: 'market:id:x' }),
    )
    const whole = await follow()
    const { rows } = await core.pool.query<{ name: string }>(
      "SELECT oid::regprocedure::text AS name FROM pg_proc WHERE proname = 'look_at_catalogue'",
    )
    const rename = (from: string, to: string) => core.pool.query(`ALTER FUNCTION ${from} RENAME TO ${to}`)
    const [{ name } = { name: '' }] = rows
    await rename(name, 'away')
    await emit(1, 'orders.place')
    await scoped.ended
    await rename(name.replace('look_at_catalogue', 'away'), 'look_at_catalogue')
    expect(scoped.comments.at(-1)).toBe(': an error; connect again')
    await emit(1, 'orders.approve')
    expect(await whole.topics(2)).toEqual(['orders.place', 'orders.approve'])
  })

  test('of the process: streams end, no other begins, and the listener closes at once', async () => {
    const own = await openCore('event_stream_stop')
    // Longer than a test may take: it ends in time only if no stream keeps the listener open.
    const stopping = await listen(own.app, { host: '127.0.0.1', port: 0, drainTimeoutMs: 600_000 })
    const stream = await openStream(stopping, own.tokens.admin)
    own.endStreams()
    await stream.ended
    expect(stream.comments.at(-1)).toBe(': the server stops; connect again')
    const refused = await openStream(stopping, own.tokens.admin)
    expect([refused.status, detailsOf(refused)]).toEqual([503, 'This server is stopping; try again.'])
    await stopping.close()
    await own.close()
  })
})
