/** What may be written of promotions of a type, and of their rules, that no schema says. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Rule } from '@merx/jsonapi/rules'
import { orderAmount } from '../rules/order-amount.ts'
import { buyXPayY } from './buy-x-pay-y.ts'
import { freeGift } from './free-gift.ts'

type Context = Parameters<Rule>[0]

const check = async (definition: ResourceDefinition, name: string, after: object, more: object = {}) => {
  const rule = definition.rules?.find((each) => each.name === name)
  if (rule === undefined) throw new Error(`${definition.type} have no rule ${name}`)
  return rule({ after, sent: new Set(), ...more } as unknown as Context)
}

describe('of x units fewer are paid', () => {
  it.each([
    { x: 3, y: 2 },
    { x: null, y: 2 },
    { x: 3, y: null },
    { x: '3', y: 5 },
    { x: 3, y: '5' },
  ])('%j', async (after) => {
    expect(await check(buyXPayY.definition, 'fewerArePaid', after)).toEqual({})
  })

  it.each([3, 4])('of 3 not %d', async (y) => {
    expect(await check(buyXPayY.definition, 'fewerArePaid', { x: 3, y })).toEqual({
      violations: [
        {
          at: { attribute: 'y' },
          error: 'less_than',
          message: 'must be less than x, which is 3',
          value: y,
          count: 3,
        },
      ],
    })
  })
})

describe('gifts are of a list by hand', () => {
  const asked: unknown[] = []
  const finding = (list: object | undefined, ...sent: readonly string[]) => ({
    sent: new Set(sent),
    find: { byNumber: async (...question: unknown[]) => (asked.push(question), list) },
  })

  it.each([
    ['is none that is sent', { sku_list_id: 5 }, finding({ manual: false })],
    ['is removed', { sku_list_id: null }, finding({ manual: false }, 'sku_list')],
    ['is not found, which was said already', { sku_list_id: 5 }, finding(undefined, 'sku_list')],
    ['is by hand', { sku_list_id: 5 }, finding({ manual: true }, 'sku_list')],
  ])('where the list %s', async (_case, after, context) => {
    expect(await check(freeGift.definition, 'giftsByHand', after, context)).toEqual({})
  })

  it('not of one by a pattern', async () => {
    asked.length = 0
    const context = finding({ manual: false }, 'sku_list')
    expect(await check(freeGift.definition, 'giftsByHand', { sku_list_id: 5 }, context)).toEqual({
      violations: [
        {
          at: { relationship: 'sku_list' },
          error: 'invalid',
          message: 'must be a list by hand: its places say which gift comes first',
        },
      ],
    })
    expect(asked).toEqual([['sku_lists', 5, ['manual']]])
  })
})

describe('an order amount', () => {
  const finding = (promotion: object | undefined, ...sent: readonly string[]) => ({
    sent: new Set(sent),
    find: {
      byNumber: async (type: string, number: number, columns: readonly string[]) =>
        type === 'promotions' && number === 9 && columns.includes('currency_code') ? promotion : undefined,
    },
  })

  it('is in the currency of its promotion', async () => {
    const context = finding({ currency_code: 'EUR' }, 'promotion')
    expect(await check(orderAmount.definition, 'currencyOfPromotion', { promotion_id: 9 }, context)).toEqual({
      set: { currency_code: 'EUR' },
    })
  })

  it.each([
    ['was not sent', finding({ currency_code: 'EUR' })],
    ['is not found', finding(undefined, 'promotion')],
  ])('keeps its currency where the promotion %s', async (_case, context) => {
    expect(await check(orderAmount.definition, 'currencyOfPromotion', { promotion_id: 9 }, context)).toEqual(
      {},
    )
  })
})
