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
