/** docs/how-to/follow-events.md: events arrive as they commit, in order, to who may see them. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { eventually } from '@merx/testing/eventually'
import { DECIDED } from '../../../src/events/follow-events.ts'
import { customer, marketClaim, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { permission, tokenWith } from '../support/restricted-role.ts'
import { makeCustomer } from './receivers.ts'
import { detailsOf, openStreamingCore, refusalOf } from './stream-listener.ts'
import type { ListenOptions, StreamingCore } from './stream-listener.ts'

const LIMITS = { keepAliveMs: 200, unreadMs: 500, processMax: 20 }

let streaming: StreamingCore
let core: TestCore
beforeAll(async () => {
  streaming = await openStreamingCore('event_stream', LIMITS)
  ;({ core } = streaming)
})
beforeEach(() => core.pool.query('DELETE FROM events'))
afterEach(() => streaming.closeStreams())
afterAll(() => streaming.close())

const follow = (token = core.tokens.admin, options: ListenOptions = {}) => streaming.follow(token, options)

const emit: StreamingCore['emit'] = (...parameters) => streaming.emit(...parameters)

/** Everything of before is decided, so that a stream that begins now does not show it. */
const decided = (): Promise<unknown> =>
  eventually(
    async () =>
      (await core.pool.query(`SELECT FROM events WHERE transaction_id >= ${DECIDED}`)).rowCount === 0,
  )

describe('a stream', () => {
  test('begins now and tells what happened to which record', async () => {
    await makeCustomer(core)
    await decided()
    const stream = await follow()
    const id = await makeCustomer(core)
    await stream.topics(1)
    expect(stream.messages).toEqual([
      {
        id: expect.stringMatching(/^\w{10}$/) as unknown,
        topic: 'customers.create',
        resource: { type: 'customers', id },
        is_imported: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) as unknown,
      },
    ])
    const event = await core.get(`/api/events/${stream.messages[0]?.id}`, core.tokens.admin)
    expect(event.body).toMatchObject({ data: { attributes: { name: 'customers.create' } } })
    expect(stream.status).toBe(200)
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
  })

  test('goes on after the Last-Event-ID, whatever from says', async () => {
    await emit(1, 'orders.create')
    await emit(1, 'orders.place')
    await emit(1, 'orders.approve')
    const first = await follow(core.tokens.admin, { query: '?from=start' })
    expect(await first.topics(3)).toEqual(['orders.create', 'orders.place', 'orders.approve'])
    const headers = { 'Last-Event-ID': first.messages[0]?.id ?? '' }
    const others = []
    for (const query of ['', '?from=start']) {
      const again = await follow(core.tokens.admin, { query, headers })
      expect(await again.topics(2)).toEqual(['orders.place', 'orders.approve'])
      others.push(again)
    }
    await emit(1, 'orders.cancel')
    for (const stream of others) expect((await stream.topics(3)).at(-1)).toBe('orders.cancel')
  })

  test('replays more events than one page has, once each and in order, with those that come meanwhile', async () => {
    await emit(2_500)
    await emit(1_500, 'customers.create', { environment: 2 })
    const stream = await follow(core.tokens.admin, { query: '?from=start' })
    await emit(500)
    await stream.topics(3_000)
    const { rows } = await core.pool.query<{ id: number }>(
      'SELECT id FROM events WHERE environment_id = 1 ORDER BY transaction_id, id',
    )
    expect(stream.messages.map(({ id }) => id)).toEqual(rows.map(({ id }) => encodeId('events', id)))
  })

  test('has only the topics that are asked for', async () => {
    const stream = await follow(core.tokens.admin, { query: '?topics=orders.place,customers.create' })
    await emit(1, 'orders.create')
    await emit(1, 'orders.place')
    await emit(1, 'customers.destroy')
    await emit(1)
    expect(await stream.topics(2)).toEqual(['orders.place', 'customers.create'])
  })

  test('says that an import made an event', async () => {
    const stream = await follow()
    await core.pool.query(
      `INSERT INTO events (environment_id, name, resource_type, record_id, is_imported) VALUES (1, 'skus.create', 'skus', 1, true)`,
    )
    await stream.topics(1)
    expect(stream.messages[0]).toMatchObject({ topic: 'skus.create', is_imported: true })
  })

  test('has a comment now and then while nothing happens', async () => {
    const stream = await follow()
    await eventually(() => stream.comments.length > 1)
    expect(new Set(stream.comments)).toEqual(new Set([': keep-alive']))
  })

  test('goes on when the events could not be read for a while', async () => {
    const stream = await follow()
    await emit(1)
    await stream.topics(1)
    await core.pool.query('ALTER TABLE events RENAME TO events_away')
    await new Promise((resolve) => setTimeout(resolve, LIMITS.keepAliveMs))
    await core.pool.query('ALTER TABLE events_away RENAME TO events')
    await emit(1, 'customers.destroy')
    expect(await stream.topics(2)).toEqual(['customers.create', 'customers.destroy'])
  })

  test('is not begun by HEAD, and other methods are refused', async () => {
    const head = await fetch(`${streaming.server.url}/api/events/stream`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${core.tokens.admin}` },
    })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const post = await core.send('POST', '/api/events/stream', core.tokens.admin, {})
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })
})

describe('what cannot be asked for', () => {
  test.each(['abc', encodeId('events', 1_000_000), encodeId('orders', 1), ' '])(
    'the Last-Event-ID %p: no event that is kept',
    async (id) => {
      const refused = await follow(core.tokens.admin, { headers: { 'Last-Event-ID': id } })
      expect(refusalOf(refused)).toEqual([400, ['LAST_EVENT_ID_NOT_VALID', 'Last-Event-ID']])
      expect(detailsOf(refused)).toContain('?from=start')
    },
  )

  test('the id of an event of another environment', async () => {
    await emit(1, 'customers.create', { environment: 2 })
    const { rows } = await core.pool.query<{ id: number }>('SELECT id FROM events')
    const headers = { 'Last-Event-ID': encodeId('events', rows[0]?.id ?? 0) }
    expect((await follow(core.tokens.admin, { headers })).status).toBe(400)
  })

  test('topics that are none, all at once, with what is allowed', async () => {
    const query = '?topics=orders.fly,planets.create,,orders.place&from=monday&sort=id'
    const refused = await follow(core.tokens.admin, { query })
    expect(refusalOf(refused)).toEqual([
      400,
      ['INVALID_FILTER_VALUE', 'topics'],
      ['INVALID_FILTER_VALUE', 'topics'],
      ['INVALID_FILTER_VALUE', 'topics'],
      ['INVALID_FILTER_VALUE', 'from'],
      ['PARAM_NOT_ALLOWED', 'sort'],
    ])
    expect(detailsOf(refused)).toMatch(/"orders\.fly" is no topic; allowed for orders: orders\.approve, /)
    expect(detailsOf(refused)).toMatch(/"planets\.create" is no topic; types that have topics: /)
    expect(detailsOf(refused)).toContain('the stream takes topics and from')
  })

  test('more topics than 100', async () => {
    const topics = Array.from({ length: 101 }, (_, at) => `orders.t${at}`)
    const refused = await follow(core.tokens.admin, { query: `?topics=${topics.join(',')}` })
    expect(detailsOf(refused)).toBe('"topics" takes at most 100 topics')
  })

  test('another media type', async () => {
    const refused = await follow(core.tokens.admin, { headers: { Accept: 'application/vnd.api+json' } })
    expect(refusalOf(refused)).toEqual([406, ['NOT_ACCEPTABLE', 'Accept']])
    expect((await follow(core.tokens.admin, { headers: { Accept: '*/*' } })).status).toBe(200)
  })
})

describe('who sees what', () => {
  test('a token without permission for events is refused, and so are storefronts', async () => {
    const tokens = [
      await tokenWith(core, permission('customers')),
      await core.tokens.mint(salesChannel([1])),
      await core.tokens.mint(customer(1, [1])),
      await tokenWith(core, permission('events', { fields: { read: ['created_at'] } })),
    ]
    for (const token of tokens) expect(refusalOf(await follow(token))[1]).toEqual(['UNAUTHORIZED', undefined])
    expect((await follow('no-token')).status).toBe(401)
  })

  test('a custom role gets events of the types that it may read', async () => {
    const token = await tokenWith(core, permission('events'), permission('customers', {}, ['read']))
    const stream = await follow(token)
    await emit(1, 'orders.place')
    await emit(1)
    expect(await stream.topics(1)).toEqual(['customers.create'])
    const refused = await follow(token, { query: '?topics=orders.place,customers.create' })
    expect(refusalOf(refused)).toEqual([401, ['UNAUTHORIZED', 'topics']])
    expect(detailsOf(refused)).toBe('You are not authorized to read orders.')
  })

  test('a role that loses a permission gets no more events of the type', async () => {
    const token = await tokenWith(core, permission('events'), permission('customers'), permission('skus'))
    const stream = await follow(token)
    await emit(1)
    await stream.topics(1)
    const [id = ''] = [...core.roles.keys()].slice(-1)
    core.roles.set(id, { kind: 'custom', permissions: [permission('events'), permission('skus')] })
    await emit(1)
    await emit(1, 'skus.create')
    expect(await stream.topics(2)).toEqual(['customers.create', 'skus.create'])
  })

  test('restrictions of rows leave events of other rows out', async () => {
    const restrictions = { rows: { read: { email_eq: 'seen@shop.test' } } }
    const stream = await follow(
      await tokenWith(core, permission('events'), permission('customers', restrictions)),
    )
    await makeCustomer(core)
    const seen = await makeCustomer(core, { email: 'seen@shop.test' })
    await makeCustomer(core)
    await stream.topics(1)
    await decided()
    expect(stream.messages.map(({ resource }) => resource)).toEqual([{ type: 'customers', id: seen }])
  })

  test('a token in the scope of a market sees events of its records, in every way of reading', async () => {
    core.roles.set('rScopedRol', {
      kind: 'custom',
      permissions: ['events', 'orders', 'markets', 'skus'].map((subject) => permission(subject)),
    })
    const role = { id: 'rScopedRol', kind: 'custom' }
    const token = await core.tokens.mint({ role, market: marketClaim([1]), scope: 'market:id:x' })
    const { rows } = await core.pool.query<{ id: number; market_id: number }>(
      'SELECT id, market_id FROM orders WHERE environment_id = 1',
    )
    expect(new Set(rows.map(({ market_id }) => market_id)).size).toBeGreaterThan(1)
    const live = await follow(token)
    for (const { id } of rows) await emit(1, 'orders.place', { record: id })
    const ofMarket = rows.filter(({ market_id }) => market_id === 1).map(({ id }) => encodeId('orders', id))
    await live.topics(ofMarket.length)
    await decided()
    const replayed = await follow(token, { query: '?from=start' })
    await replayed.topics(ofMarket.length)
    for (const { messages } of [live, replayed])
      expect(messages.map(({ resource }) => resource.id)).toEqual(ofMarket)
  })

  test('nobody sees the events of another organization or mode', async () => {
    const mine = await follow()
    const other = await follow(core.tokens.otherOrganization)
    const live = await follow(core.tokens.live)
    await makeCustomer(core)
    const sent = { data: { type: 'customers', attributes: { email: 'other@shop.test' } } }
    await core.send('POST', '/api/customers', core.tokens.otherOrganization, sent)
    await core.send('POST', '/api/customers', core.tokens.live, sent)
    for (const stream of [mine, other, live]) await stream.topics(1)
    await decided()
    const ids = [mine, other, live].map(({ messages }) => messages.map(({ resource }) => resource.id))
    expect(ids.map((each) => each.length)).toEqual([1, 1, 1])
    expect(new Set(ids.flat()).size).toBe(3)
    const replayed = await follow(core.tokens.otherOrganization, { query: '?from=start' })
    await replayed.topics(1)
    expect(replayed.messages).toEqual(other.messages)
  })
})
