/** docs/adr/0096-idempotency-keys.md: a write that is sent again with its Idempotency-Key is not done again. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { errorOf, isReplay, keyedCalls, patchBody, SKU_PATH, skuBody, told } from '../support/keyed-calls.ts'
import { checkoutCalls, WITH_SHIPPING } from '../support/order-calls.ts'

let core: TestCore
let replica: Awaited<ReturnType<TestCore['replica']>>

beforeAll(async () => {
  core = await openCore('idempotency')
  replica = await core.replica()
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query('TRUNCATE idempotency_keys')
})
afterAll(() => core.close())

const DAY_MS = 24 * 3_600_000

const { keyed, count } = keyedCalls(() => core)

/** Holds what `sql` locks while `act` runs. */
const whileLocked = async <T>(
  sql: string,
  act: (release: () => Promise<unknown>) => Promise<T>,
): Promise<T> => {
  const client = await core.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(sql)
    return await act(() => client.query('COMMIT'))
  } finally {
    client.release()
  }
}

const untilWaiting = async (): Promise<void> => {
  while (
    (await count(`pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)) === 0
  );
}

describe('a write that is sent twice', () => {
  it.each([
    [
      'a POST of a row that stands alone',
      'POST',
      '/api/skus',
      skuBody('ONCE', { weight: 1.5, metadata: { b: 1, a: [2] } }),
    ],
    ['a POST with includes', 'POST', '/api/skus?include=shipping_category', skuBody('ONCE')],
    ['a POST with sparse fields', 'POST', '/api/skus?fields[skus]=code', skuBody('ONCE')],
    ['a PATCH of a row that stands alone', 'PATCH', SKU_PATH, patchBody({ name: 'Changed' })],
    ['a PATCH with tags', 'PATCH', `${SKU_PATH}?include=tags`, patchBody({ _add_tags: 'sale' })],
    ['a PATCH that changes nothing', 'PATCH', SKU_PATH, patchBody({})],
    [
      'an order',
      'POST',
      '/api/orders',
      {
        data: {
          type: 'orders',
          relationships: { market: { data: { type: 'markets', id: encodeId('markets', 1) } } },
        },
      },
    ],
  ])('%s is done once and answered alike, on every replica', async (_name, method, path, body) => {
    const first = await keyed(method, path, '"k-1"', body)
    expect(first.status).toBeLessThan(300)
    const before = [
      await count('versions'),
      await count('events'),
      await count('skus'),
      await count('orders'),
    ]
    for (const at of [core, replica, core]) {
      const again = await keyed(method, path, '"k-1"', body, { at })
      expect(told(again)).toEqual(told(first))
      expect(isReplay(again)).toBe(true)
    }
    expect([
      await count('versions'),
      await count('events'),
      await count('skus'),
      await count('orders'),
    ]).toEqual(before)
    expect(isReplay(first)).toBe(false)
  })

  it.each(['', '?include=shipping_category'])(
    'is answered as it was, although the row has changed or gone since (%s)',
    async (query) => {
      const first = await keyed('POST', `/api/skus${query}`, 'k', skuBody('ONCE'))
      const { id } = singleOf(first).data
      await core.send('PATCH', `/api/skus/${id}`, core.tokens.admin, {
        data: { type: 'skus', id, attributes: { name: 'Later', weight: 3 } },
      })
      await core.pool.query(`UPDATE shipping_categories SET name = 'Later'`)
      expect(told(await keyed('POST', `/api/skus${query}`, 'k', skuBody('ONCE')))).toEqual(told(first))
      expect((await core.send('DELETE', `/api/skus/${id}`, core.tokens.admin)).status).toBe(204)
      expect(told(await keyed('POST', `/api/skus${query}`, 'k', skuBody('ONCE')))).toEqual(told(first))
    },
  )

  // Again and again, because the answer takes the place of the row while others read it.
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('places an order once (%d)', async () => {
    await core.pool.query(WITH_SHIPPING)
    const { payable } = checkoutCalls(() => core)
    const order = await payable()
    const body = { data: { type: 'orders', id: order, attributes: { _place: true } } }
    const place = (at: Pick<TestCore, 'send'>) =>
      keyed('PATCH', `/api/orders/${order}?include=line_items`, 'place', body, { at })
    const answers = await Promise.all([core, replica, core, replica].map(place))
    const last = await place(replica)
    expect(singleOf(last).data.attributes['status']).toBe('placed')
    for (const answer of answers.filter(({ status }) => status !== 409))
      expect(told(answer)).toEqual(told(last))
    expect(
      await count(`events WHERE name = 'orders.place' AND record_id = ${decodeId('orders', order)}`),
    ).toBe(1)
  })

  it('starts one import', async () => {
    const body = {
      data: { type: 'imports', attributes: { resource_type: 'skus', inputs: [{ code: 'I', name: 'I' }] } },
    }
    const first = await keyed('POST', '/api/imports', 'import', body)
    expect(told(await keyed('POST', '/api/imports', 'import', body))).toEqual(told(first))
    expect([
      await count('imports'),
      await count(`jobs.job WHERE name LIKE 'imports%' AND data ->> 'id' IS NOT NULL`),
    ]).toEqual([1, 1])
  })

  it('is done again without a key, and with another one', async () => {
    expect((await core.send('POST', '/api/skus', core.tokens.admin, skuBody('X'))).status).toBe(201)
    expect((await core.send('POST', '/api/skus', core.tokens.admin, skuBody('X'))).status).toBe(422)
    expect((await keyed('POST', '/api/skus', 'one', skuBody('Y'))).status).toBe(201)
    expect((await keyed('POST', '/api/skus', 'two', skuBody('Y'))).status).toBe(422)
  })

  it('sent many times at once over two replicas is done once', async () => {
    const sent = Array.from({ length: 20 }, (_, at) =>
      keyed(
        'POST',
        '/api/orders',
        'many',
        {
          data: {
            type: 'orders',
            attributes: { reference: 'many' },
            relationships: { market: { data: { type: 'markets', id: encodeId('markets', 1) } } },
          },
        },
        { at: at % 2 === 0 ? core : replica },
      ),
    )
    const skus = Array.from({ length: 20 }, (_, at) =>
      keyed('POST', '/api/skus', 'many-skus', skuBody('MANY'), { at: at % 2 === 0 ? core : replica }),
    )
    for (const answers of [await Promise.all(sent), await Promise.all(skus)]) {
      const done = answers.filter(({ status }) => status === 201)
      expect(new Set(done.map(({ text }) => text)).size).toBe(1)
      for (const answer of answers.filter(({ status }) => status !== 201))
        expect(errorOf(answer)).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE', 'Idempotency-Key'])
    }
    expect([await count(`orders WHERE reference = 'many'`), await count(`skus WHERE code = 'MANY'`)]).toEqual(
      [1, 1],
    )
  })
})

describe('another request with the same key', () => {
  it.each([
    ['another body', 'POST', '/api/skus', skuBody('OTHER')],
    ['another query', 'POST', '/api/skus?include=shipping_category', skuBody('FIRST')],
    [
      'another address',
      'POST',
      '/api/shipping_categories',
      { data: { type: 'shipping_categories', attributes: { name: 'x' } } },
    ],
    ['another method', 'PATCH', SKU_PATH, patchBody({ name: 'Changed' })],
    ['a body that is not valid', 'POST', '/api/skus', skuBody('FIRST', { weight: -1 })],
  ])('is refused: %s', async (_name, method, path, body) => {
    await keyed('POST', '/api/skus', 'k', skuBody('FIRST'))
    const versions = await count('versions')
    expect(errorOf(await keyed(method, path, 'k', body))).toEqual([
      422,
      'IDEMPOTENCY_KEY_REUSED',
      'Idempotency-Key',
    ])
    expect(await count('versions')).toBe(versions)
  })

  it('may have other space between the tokens of its body', async () => {
    const first = await keyed('POST', '/api/skus', 'k', skuBody('FIRST'))
    const again = await keyed('POST', '/api/skus', '"k"', JSON.stringify(skuBody('FIRST'), null, 2))
    expect(told(again)).toEqual(told(first))
  })
})

describe('while the first one is in flight', () => {
  it.each([
    ['a row that stands alone', SKU_PATH, patchBody({ name: 'Slow' }), 'SELECT FROM skus FOR UPDATE'],
    [
      'a transaction',
      `${SKU_PATH}?include=tags`,
      patchBody({ name: 'Slow', _add_tags: 'slow' }),
      'SELECT FROM skus FOR UPDATE',
    ],
  ])('409 at once on every replica: %s', async (_name, path, body, lock) => {
    const slow = await whileLocked(lock, async (release) => {
      const first = keyed('PATCH', path, 'slow', body)
      const started = first.then((answer) => answer)
      await untilWaiting()
      for (const at of [core, replica]) {
        const answer = await keyed('PATCH', path, 'slow', body, { at })
        expect(errorOf(answer)).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE', 'Idempotency-Key'])
        expect(answer.headers['retry-after']).toBe('1')
      }
      await release()
      return started
    })
    expect(slow.status).toBe(200)
    expect(told(await keyed('PATCH', path, 'slow', body, { at: replica }))).toEqual(told(slow))
  })

  test.each([
    ['alone', '/api/skus'],
    ['with what it includes', '/api/skus?include=shipping_category'],
  ])(
    'whose connection is cut in the middle is done once by the next request: a row %s',
    async (_what, path) => {
      const cut = await whileLocked('LOCK TABLE idempotency_keys IN EXCLUSIVE MODE', async (release) => {
        const first = keyed('POST', path, 'cut', skuBody('CUT'))
        await untilWaiting()
        await core.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`)
        const answer = await first
        await release()
        return answer
      })
      expect(cut.status).toBe(503)
      expect([await count(`skus WHERE code = 'CUT'`), await count('idempotency_keys')]).toEqual([0, 0])
      const done = await keyed('POST', path, 'cut', skuBody('CUT'), { at: replica })
      expect([done.status, isReplay(done)]).toEqual([201, false])
      expect(told(await keyed('POST', path, 'cut', skuBody('CUT')))).toEqual(told(done))
      expect(await count(`skus WHERE code = 'CUT'`)).toBe(1)
    },
  )
})

describe('a key is of one caller', () => {
  it('of another application, owner, environment or organization it is another key', async () => {
    const body = {
      data: {
        type: 'orders',
        attributes: { reference: 'mine' },
        relationships: { market: { data: { type: 'markets', id: encodeId('markets', 1) } } },
      },
    }
    const claims = [
      {},
      {
        application: {
          id: 'anotherAPP',
          client_id: 'another',
          kind: 'integration',
          public: false,
          confidential: true,
        },
      },
      salesChannel([1]),
      customer(1, [1]),
      customer(2, [1]),
    ]
    const tokens = await Promise.all(claims.map((claim) => core.tokens.mint(claim)))
    for (const token of tokens) {
      const answer = await keyed('POST', '/api/orders', 'shared', body, { token })
      expect([answer.status, isReplay(answer)]).toEqual([201, false])
    }
    const live = await keyed('POST', '/api/skus', 'k', skuBody('LIVE'), { token: core.tokens.live })
    const other = await keyed('POST', '/api/skus', 'k', skuBody('LIVE'), {
      token: core.tokens.otherOrganization,
    })
    for (const answer of [live, other]) expect([answer.status, isReplay(answer)]).not.toEqual([201, true])
    for (const token of tokens)
      expect(isReplay(await keyed('POST', '/api/orders', 'shared', body, { token }))).toBe(true)
  })

  it('a new token of the same caller gets the stored answer', async () => {
    const first = await keyed('POST', '/api/skus', 'k', skuBody('A'))
    expect(
      told(await keyed('POST', '/api/skus', 'k', skuBody('A'), { token: await core.tokens.mint() })),
    ).toEqual(told(first))
  })

  it('with another market in scope it is another request', async () => {
    const body = { data: { type: 'orders', attributes: { reference: 'scope' } } }
    const tokens = [
      await core.tokens.mint(salesChannel([1])),
      await core.tokens.mint(salesChannel([2], { scope: 'market:id:other' })),
    ]
    expect((await keyed('POST', '/api/orders', 'k', body, { token: tokens[0] })).status).toBe(201)
    expect(errorOf(await keyed('POST', '/api/orders', 'k', body, { token: tokens[1] }))[1]).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
  })

  it('who lost the permission since gets no stored answer', async () => {
    const role = { id: 'cUstomRole', kind: 'custom' as const }
    const may = {
      ...role,
      permissions: [
        { subject: 'skus', actions: ['create', 'read'] as const },
        { subject: 'shipping_categories', actions: ['read'] as const },
      ],
    }
    core.roles.set(role.id, may)
    const token = await core.tokens.mint({ role })
    expect((await keyed('POST', '/api/skus', 'k', skuBody('A'), { token })).status).toBe(201)
    expect(isReplay(await keyed('POST', '/api/skus', 'k', skuBody('A'), { token }))).toBe(true)
    core.roles.set(role.id, { ...may, permissions: [{ subject: 'skus', actions: ['read'] }] })
    expect(errorOf(await keyed('POST', '/api/skus', 'k', skuBody('A'), { token }))[1]).toBe('UNAUTHORIZED')
  })
})

// The last one: the clock goes on, and tokens of the suite are over then.
describe('after 24 hours', () => {
  it.each(['', '?include=shipping_category'])('a key is new (%s)', async (query) => {
    const start = core.clock.now().getTime()
    const send = async (afterMs: number, code: string) => {
      core.clock.set(new Date(start + afterMs))
      return keyed('POST', `/api/skus${query}`, 'day', skuBody(code), { token: await core.tokens.mint() })
    }
    await send(0, 'A')
    expect(isReplay(await send(DAY_MS - 1, 'A'))).toBe(true)
    expect((await send(DAY_MS - 1, 'B')).status).toBe(422)
    const answer = await send(DAY_MS, 'B')
    expect([answer.status, isReplay(answer)]).toEqual([201, false])
    expect(told(await send(DAY_MS, 'B'))).toEqual(told(answer))
  })
})
