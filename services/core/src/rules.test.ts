import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, RuleOutcome } from '@merx/jsonapi/rules'
import { isPasswordOf } from '@merx/passwords/passwords'
import { currencyOfPriceList } from './catalogue/price-currency.ts'
import { originalAmount } from './catalogue/price-original-amount.ts'
import { hashPassword } from './customers/hash-password.ts'
import { personOrCompany } from './customers/person-or-company.ts'
import { notYet } from './definitions/not-supported.ts'
import { skuByCode } from './definitions/sku-by-code.ts'
import { currencyOfMarket } from './markets/currency-of-market.ts'
import { nameOfPaymentMethod } from './payments/payment-method-name.ts'

const rows: Readonly<Record<string, readonly Row[]>> = {
  skus: [{ id: 7, code: 'SHIRT' }],
  price_lists: [{ id: 3, currency_code: 'USD' }],
  markets: [{ id: 5, price_list_id: 3 }],
}

const contextOf = (
  after: Row,
  sent: readonly string[],
  operation: 'create' | 'update' = 'create',
): RuleContext => ({
  writer: { isSalesChannel: false },
  operation,
  before: undefined,
  after,
  sent: new Set(sent),
  now: new Date(0),
  find: {
    byNumber: async (type, number) => rows[type]?.find(({ id }) => id === number),
    byColumn: async (type, column, value) => rows[type]?.find((row) => row[column] === value),
    byColumns: async () => undefined,
    count: async () => 0,
  },
  includeProblem: () => undefined,
})

const run = async (
  rule: Rule,
  after: Row,
  sent: readonly string[],
  operation?: 'create' | 'update',
): Promise<RuleOutcome> => rule(contextOf(after, sent, operation))

describe('the SKU of a price or stock item', () => {
  it('is found by its code', async () => {
    expect(await run(skuByCode, { sku_code: 'SHIRT' }, ['sku_code'])).toEqual({ set: { sku_id: 7 } })
  })

  it('gives its code when the relationship was sent', async () => {
    expect(await run(skuByCode, { sku_id: 7 }, ['sku'])).toEqual({ set: { sku_code: 'SHIRT' } })
  })

  it.each([
    ['an unknown code', { sku_code: 'NOPE' }, ['sku_code'], 'sku_code'],
    ['a code that is not a text', { sku_code: null }, ['sku_code'], 'sku_code'],
    ['a code of another SKU', { sku_id: 7, sku_code: 'OTHER' }, ['sku', 'sku_code'], 'sku_code'],
    ['neither of the two', {}, [], 'sku'],
    ['an emptied relationship', { sku_id: null }, ['sku'], 'sku'],
  ])('refuses %s', async (_case, after, sent, at) => {
    const { violations } = await run(skuByCode, after, sent)
    expect(violations?.map((fault) => Object.values(fault.at ?? {})[0])).toEqual([at])
  })

  it('stays when an update mentions neither', async () => {
    expect(await run(skuByCode, { sku_id: 7, sku_code: 'SHIRT' }, [], 'update')).toEqual({})
  })
})

describe('currencies', () => {
  it('of a price come from its list', async () => {
    expect(await run(currencyOfPriceList, { price_list_id: 3 }, ['price_list'])).toEqual({
      set: { currency_code: 'USD' },
    })
  })

  it('of a price stay when the list does', async () => {
    expect(await run(currencyOfPriceList, { price_list_id: 3 }, [], 'update')).toEqual({})
  })

  it("of a payment method come from its market's list", async () => {
    expect(await run(currencyOfMarket, { market_id: 5 }, ['market'])).toEqual({
      set: { currency_code: 'USD' },
    })
  })

  it('of a payment method stay as sent', async () => {
    expect(await run(currencyOfMarket, { market_id: 5, currency_code: 'EUR' }, ['currency_code'])).toEqual({})
  })

  it('of a payment method without a market must be given', async () => {
    const { violations } = await run(currencyOfMarket, {}, [])
    expect(violations).toMatchObject([{ at: { attribute: 'currency_code' }, error: 'blank' }])
  })
})

describe('passwords', () => {
  const rule = hashPassword('password', 'password_hash')

  it('are stored as an argon2id hash', async () => {
    const { set } = await run(rule, { password_hash: 'correct horse' }, ['password'])
    const stored = String(set?.['password_hash'])
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await isPasswordOf(stored, 'correct horse')).toBe(true)
    expect(await isPasswordOf(stored, 'wrong horse')).toBe(false)
  })

  it('can be removed', async () => {
    expect(await run(rule, { password_hash: null }, ['password'], 'update')).toEqual({
      set: { password_hash: null },
    })
  })

  it('are left alone when none was sent', async () => {
    expect(await run(rule, { password_hash: 'a hash' }, [], 'update')).toEqual({})
  })

  it('of nobody never match', async () => {
    expect(await isPasswordOf(null, 'anything')).toBe(false)
  })
})

test('the amount before rules is the amount', async () => {
  expect(await run(originalAmount, { amount_cents: 990 }, ['amount_cents'])).toEqual({
    set: { original_amount_cents: 990 },
  })
})

test.each([
  [{ payment_source_type: 'wire_transfers' }, { set: { name: 'Wire Transfers' } }],
  [{ payment_source_type: 'wire_transfers', name: ' ' }, { set: { name: 'Wire Transfers' } }],
  [{ payment_source_type: 'wire_transfers', name: 'Bank' }, {}],
  [{}, {}],
])('a payment method %j is named', async (after, outcome) => {
  expect(await run(nameOfPaymentMethod, after, [])).toEqual(outcome)
})

test.each([
  [{ business: false, first_name: 'Ann', last_name: 'Lee' }, undefined],
  [{ business: false, first_name: ' ' }, ['first_name', 'last_name']],
  [{ business: true, company: 'Merx' }, undefined],
  [{ business: true, first_name: 'Ann', last_name: 'Lee' }, ['company']],
])('an address %j needs its names', async (after, missing) => {
  const { violations } = await run(personOrCompany, after, [])
  expect(violations?.map((fault) => Object.values(fault.at ?? {})[0])).toEqual(missing)
})

describe('what was refused already is not refused twice', () => {
  it.each([
    ['an unknown market of a payment method', currencyOfMarket, ['market']],
    ['an unknown SKU of a price', skuByCode, ['sku']],
  ])('%s', async (_case, rule, sent) => {
    expect(await run(rule, {}, sent)).toEqual({})
  })
})

test('triggers that wait for something are refused by name', async () => {
  const { violations } = await run(notYet(['_a', '_b'], 'nothing is there'), {}, ['_b'])
  expect(violations).toEqual([
    {
      at: { attribute: '_b' },
      error: 'not_supported',
      message: 'cannot be done yet, because nothing is there',
    },
  ])
})
