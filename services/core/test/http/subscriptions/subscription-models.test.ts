/** Subscription models: which frequencies a market offers, and which of them a line of its orders may have. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('subscription_models')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { draft, add } = orderCalls(() => core)

const create = (attributes: Body) =>
  core.send('POST', '/api/subscription_models', core.tokens.admin, {
    data: { type: 'subscription_models', attributes: { name: 'Coffee', ...attributes } },
  })

const offer = async (frequencies: readonly string[]): Promise<string> => {
  const { id } = singleOf(await create({ frequencies })).data
  const market = encodeId('markets', 1)
  singleOf(
    await core.send('PATCH', `/api/markets/${market}`, core.tokens.admin, {
      data: {
        type: 'markets',
        id: market,
        relationships: { subscription_model: linkTo('subscription_models', id) },
      },
    }),
  )
  return id
}

describe('a model', () => {
  it('has its defaults', async () => {
    const { attributes } = singleOf(
      await create({ frequencies: ['monthly', 'two-months', '0 8 1 * *'] }),
    ).data
    expect(attributes).toMatchObject({
      strategy: 'by_frequency',
      auto_activate: true,
      auto_cancel: false,
      frequencies: ['monthly', 'two-months', '0 8 1 * *'],
    })
  })

  it.each([
    ['no frequency', [], 'too_short'],
    ['an unknown one', ['monthly', 'fortnightly'], 'invalid'],
    ['what is no text', [7], 'invalid'],
    ['one that is finer than an hour', ['*/10 * * * *'], 'invalid'],
    ['a time that never comes', ['0 0 30 2 *'], 'invalid'],
    ['the same one twice', ['two-month', 'two-months'], 'invalid'],
    ['a text that is too long', [`0 8 ${'1,'.repeat(60)}1 * *`], 'invalid'],
    ['too many', Array.from({ length: 51 }, (_, minute) => `${minute} 8 * * *`), 'too_long'],
  ])('is refused with %s', async (_case, frequencies, error) => {
    expect(at(await create({ frequencies }))).toEqual([['422', '/data/attributes/frequencies', error]])
  })

  it('says what is wrong with a crontab, and what is allowed', async () => {
    const { text } = await create({ frequencies: ['* * * * *'] })
    expect(text).toContain('its minute must be one number from 0 to 59')
  })

  it('is not deleted while a market has it', async () => {
    const id = await offer(['monthly'])
    const path = `/api/subscription_models/${id}`
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(423)
    await core.pool.query('UPDATE markets SET subscription_model_id = NULL')
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(204)
  })
})

describe('the frequency of a line item', () => {
  const line = async (frequency: string) =>
    add(core.tokens.admin, await draft(), { sku_code: 'SKU-A', quantity: 1, frequency })

  it('is one of the model of its market, in either spelling', async () => {
    await offer(['two-month', '0 8 1 * *'])
    for (const frequency of ['two-month', 'two-months', '0 8 1 * *'])
      expect(singleOf(await line(frequency)).data.attributes['frequency']).toBe(frequency)
  })

  it('is refused when the model has others, or the market no model', async () => {
    expect(at(await line('monthly'))).toEqual([
      ['422', '/data/attributes/frequency', 'no_subscription_model'],
    ])
    await offer(['weekly'])
    const response = await line('monthly')
    expect(at(response)).toEqual([['422', '/data/attributes/frequency', 'inclusion']])
    expect(response.text).toContain('weekly')
    expect(at(await line('* * * * *'))).toEqual([['422', '/data/attributes/frequency', 'invalid']])
  })
})
