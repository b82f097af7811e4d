import type { Row } from '@merx/jsonapi/attributes'
import { manualTaxCalculator } from './manual.ts'

const rule = (tax_rate: string, more: Row = {}): Row => ({
  tax_rate,
  freight_taxable: true,
  payment_method_taxable: false,
  gift_card_taxable: true,
  adjustment_taxable: false,
  address: { country_code: 'IT' },
  ...more,
})

const taxationBy = async (rules: readonly Row[], order: Row = {}) => {
  const asked: unknown[] = []
  const run = ({ values }: { readonly values: readonly unknown[] }) => {
    asked.push(values)
    return Promise.resolve(rules)
  }
  const step = { run, scope: { environmentId: 7 } }
  const taxation = await manualTaxCalculator.taxationOf(
    3,
    order,
    step as unknown as Parameters<typeof manualTaxCalculator.taxationOf>[2],
  )
  return { taxation, asked }
}

const untaxed = {
  tax_rate: '0.00000000',
  freight_taxable: false,
  payment_method_taxable: false,
  gift_card_taxable: false,
  adjustment_taxable: false,
}

it('taxes by the first rule that matches the address', async () => {
  const rules = [
    rule('0.19000000', { country_code_regex: 'DE' }),
    rule('0.22000000', { country_code_regex: 'IT', id: 1 }),
    rule('0.05000000'),
  ]
  expect((await taxationBy(rules)).taxation).toEqual({
    tax_rate: '0.22000000',
    freight_taxable: true,
    payment_method_taxable: false,
    gift_card_taxable: true,
    adjustment_taxable: false,
  })
})

it('taxes nothing when no rule matches', async () => {
  expect((await taxationBy([rule('0.19000000', { country_code_regex: 'DE' })])).taxation).toEqual(untaxed)
  expect((await taxationBy([])).taxation).toEqual(untaxed)
})

it('matches an order without an address by rules that ask for nothing', async () => {
  const rules = [rule('0.19000000', { country_code_regex: 'DE', address: null })]
  expect((await taxationBy(rules)).taxation).toEqual(untaxed)
  const any = rule('0.05000000', { not_country_code_regex: 'DE', address: null })
  expect((await taxationBy([...rules, any])).taxation).toMatchObject({ tax_rate: '0.05000000' })
})

it.each([
  [{}, null, null],
  [{ shipping_address_id: 5, billing_address_id: 6 }, 5, 6],
])('asks for the rules of the calculator at the addresses of %j', async (order, shipping, billing) => {
  expect((await taxationBy([], order)).asked).toEqual([[7, 3, shipping, billing]])
})
