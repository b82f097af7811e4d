import { taxedLine } from './taxed-line.ts'

it.each([
  ['EUR', 10_000, 9.01, '0.09010000'],
  ['JPY', 10_000, 901, '0.09010000'],
  ['KWD', 10_000, 0.901, '0.09010000'],
])(
  'an amount in %s to be collected is in units of the currency',
  (currency_code, total, collectable, tax_rate) => {
    const line = { total_amount_cents: total, discount_cents: 0 }
    const answered = { id: 'a', tax_collectable: collectable }
    expect(taxedLine(answered, line, { currency_code, tax_included: false })).toMatchObject({ tax_rate })
  },
)

it('is left out of a price that includes it', () => {
  const line = { total_amount_cents: 11_000, discount_cents: 0 }
  const order = { currency_code: 'EUR', tax_included: true }
  expect(taxedLine({ id: 'a', tax_collectable: 10 }, line, order)).toMatchObject({ tax_rate: '0.10000000' })
})

const ORDER = { currency_code: 'EUR', tax_included: false }
const LINE = { total_amount_cents: 11_000, discount_cents: -1000 }

it('is nothing for a line that the calculator does not name, or of which it says no amount', () => {
  expect(taxedLine(undefined, LINE, ORDER)).toBeUndefined()
  expect(taxedLine({ id: 'a' }, LINE, ORDER)).toBeUndefined()
  expect(taxedLine({ id: 'a', tax_rate: null, tax_collectable: null }, LINE, ORDER)).toBeUndefined()
})

it('is the rate, and whatever else the calculator says', () => {
  const answered = { id: 'a', tax_rate: 0.22, state_tax: 1.5 }
  expect(taxedLine(answered, LINE, ORDER)).toEqual({
    tax_rate: '0.22000000',
    breakdown: { tax_rate: 0.22, state_tax: 1.5 },
  })
})

it('is the amount rather than the rate, of what is left after discounts', () => {
  const answered = { id: 'a', tax_rate: 0.22, tax_collectable: 10, state_tax: 1.5 }
  expect(taxedLine(answered, LINE, ORDER)).toEqual({
    tax_rate: '0.10000000',
    breakdown: { tax_rate: 0.22, tax_collectable: 10, state_tax: 1.5 },
  })
  expect(taxedLine({ id: 'a', tax_collectable: 10 }, LINE, ORDER)?.breakdown).toEqual({ tax_collectable: 10 })
})

it('is added to the price unless the order says that prices include it', () => {
  const answered = { id: 'a', tax_collectable: 10 }
  expect(taxedLine(answered, { total_amount_cents: 10_000 }, { currency_code: 'EUR' })).toMatchObject({
    tax_rate: '0.10000000',
  })
})

it.each([
  ['costs nothing', 0, 0],
  ['costs nothing after its discounts', 1000, -1000],
])('is nothing for a line that %s', (_case, total_amount_cents, discount_cents) => {
  const line = { total_amount_cents, discount_cents }
  expect(taxedLine({ id: 'a', tax_collectable: 10 }, line, ORDER)).toBeUndefined()
})

it('is at most 99 times the price', () => {
  expect(taxedLine({ id: 'a', tax_collectable: 10 }, { total_amount_cents: 1 }, ORDER)).toMatchObject({
    tax_rate: '99.00000000',
  })
})
