import { amountTable } from './amounts.ts'

const order = {
  subtotal_amount_cents: 10_000,
  discount_amount_cents: -1_000,
  shipping_amount_cents: 500,
  payment_method_amount_cents: 0,
  gift_card_amount_cents: -200,
  total_tax_amount_cents: 2_090,
  tax_included: false,
  total_amount_with_taxes_cents: 11_390,
}

describe('the amounts of an order', () => {
  it('are rows that add up to the total, with taxes as one of them', () => {
    const { rows, totalCents, differenceCents, includedTaxCents } = amountTable(order)
    expect(rows.map(({ label }) => label)).toEqual(['Subtotal', 'Discount', 'Shipping', 'Taxes', 'Gift card'])
    expect([totalCents, differenceCents, includedTaxCents]).toEqual([11_390, 0, undefined])
  })

  it('have included taxes beside the rows', () => {
    const included = { ...order, tax_included: true, total_amount_with_taxes_cents: 9_300 }
    const { rows, differenceCents, includedTaxCents } = amountTable(included)
    expect(rows.map(({ label }) => label)).not.toContain('Taxes')
    expect([differenceCents, includedTaxCents]).toEqual([0, 2_090])
  })

  it('say what is missing when they do not add up', () => {
    expect(amountTable({ ...order, total_amount_with_taxes_cents: 11_400 }).differenceCents).toBe(10)
  })
})
