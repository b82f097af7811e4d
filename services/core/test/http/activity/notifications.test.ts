/** Notifications: messages about orders, lines and shipping methods; flash ones are for an hour. */
import { deleteFlashNotifications } from '../../../src/activity/delete-flash-notifications.ts'
import { runOn } from '../../../src/engine/database/run-statement.ts'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('notifications')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { draft } = orderCalls(() => core)

const notify = (notifiable: Body, attributes: Body = { name: 'Delay', body: { days: 2 } }) =>
  core.send('POST', '/api/notifications?include=notifiable', core.tokens.admin, {
    data: { type: 'notifications', attributes, relationships: { notifiable } },
  })

describe.each(['orders', 'line_items', 'shipping_methods'])('notifications of %s', (type) => {
  it('are made, seen from the record, and found by name', async () => {
    const target =
      type === 'shipping_methods'
        ? linkTo(
            type,
            singleOf(
              await core.send('POST', '/api/shipping_methods', core.tokens.admin, {
                data: {
                  type,
                  attributes: { name: 'Post', price_amount_cents: 500, currency_code: 'EUR' },
                },
              }),
            ).data.id,
          )
        : one(type, 1)
    const response = await notify(target)
    expect(response.status).toBe(201)
    expect(singleOf(response).data).toMatchObject({
      attributes: { name: 'Delay', body: { days: 2 }, flash: false },
      relationships: { notifiable: target },
    })
    const { id } = singleOf(response).data
    const list = listOf(await core.get(`/api/${type}/${target.data.id}/notifications`, core.tokens.admin))
    expect(list.data.map((notification) => notification.id)).toEqual([id])
    const found = await core.get(`/api/${type}?filter[q][notifications_name_eq]=Delay`, core.tokens.admin)
    expect(listOf(found).data.map((record) => record.id)).toEqual([target.data.id])
  })
})

describe('a notification', () => {
  it('is changed, moved and deleted', async () => {
    const { id } = singleOf(await notify(one('orders', 1))).data
    const path = `/api/notifications/${id}`
    const changed = await core.send('PATCH', `${path}?include=notifiable`, core.tokens.admin, {
      data: {
        type: 'notifications',
        id,
        attributes: { body: { days: 3 } },
        relationships: { notifiable: one('line_items', 1) },
      },
    })
    expect(singleOf(changed).data).toMatchObject({
      attributes: { body: { days: 3 } },
      relationships: { notifiable: one('line_items', 1) },
    })
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(204)
  })

  it('goes with its record', async () => {
    const order = await draft()
    const { id } = singleOf(await notify(linkTo('orders', order))).data
    expect((await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)).status).toBe(204)
    expect((await core.get(`/api/notifications/${id}`, core.tokens.admin)).status).toBe(404)
  })

  it('is gone after an hour when it is a flash one', async () => {
    const flash = { name: 'Price changed', flash: true }
    const [old, fresh, lasting] = [
      singleOf(await notify(one('orders', 1), flash)).data.id,
      singleOf(await notify(one('orders', 1), flash)).data.id,
      singleOf(await notify(one('orders', 1))).data.id,
    ]
    await core.pool.query(
      `UPDATE notifications SET created_at = '2026-11-20T11:00:00Z' WHERE id <> (SELECT id FROM notifications
        WHERE flash ORDER BY id DESC LIMIT 1)`,
    )
    await core.pool.query(
      `UPDATE notifications SET created_at = '2026-11-20T11:00:01Z' WHERE created_at <> '2026-11-20T11:00:00Z'`,
    )
    await core.jobs.enqueue(deleteFlashNotifications, {}, runOn(core.pool))
    await core.jobs.runUntilIdle()
    const statuses = [old, fresh, lasting].map(
      async (id) => (await core.get(`/api/notifications/${id}`, core.tokens.admin)).status,
    )
    expect(await Promise.all(statuses)).toEqual([404, 200, 200])
  })

  it.each<[string, Body, string, string]>([
    ['without a name', { name: null }, 'name', 'blank'],
    ['with a body that is a text', { name: 'A', body: 'late' }, 'body', 'invalid'],
    ['with a flash that is a text', { name: 'A', flash: 'yes' }, 'flash', 'invalid'],
  ])('is refused %s', async (_case, attributes, name, error) => {
    expect(at(await notify(one('orders', 1), attributes))).toEqual([
      ['422', `/data/attributes/${name}`, error],
    ])
  })

  it('is refused about what is not there, or what has none', async () => {
    expect(at(await notify(one('orders', 1001)))).toEqual([
      ['422', '/data/relationships/notifiable', 'noent'],
    ])
    expect(errorsOf(await notify(one('skus', 1)))).toMatchObject([{ code: 'TYPE_MISMATCH' }])
  })

  it('is read by a sales channel through the order it sees, and not written', async () => {
    const guest = await core.tokens.mint(salesChannel([1]))
    const order = singleOf(
      await core.send('POST', '/api/orders', guest, { data: { type: 'orders', attributes: {} } }),
    ).data.id
    const { id } = singleOf(await notify(linkTo('orders', order))).data
    const seen = singleOf(await core.get(`/api/orders/${order}?include=notifications`, guest))
    expect(seen.included).toMatchObject([{ type: 'notifications', id, attributes: { name: 'Delay' } }])
    expect((await core.send('DELETE', `/api/notifications/${id}`, guest)).status).toBe(401)
    for (const token of [core.tokens.live, core.tokens.otherOrganization])
      expect((await core.get(`/api/notifications/${id}`, token)).status).toBe(404)
    expect(attributesOf(await core.get(`/api/notifications/${id}`, core.tokens.admin))['name']).toBe('Delay')
  })
})
