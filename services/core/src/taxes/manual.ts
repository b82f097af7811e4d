/** The manual tax calculator: the first of its rules that matches the address decides; without one nothing is taxed. */
import type { Row } from '@merx/jsonapi/attributes'
import { matchesAddress } from '../definitions/address-patterns.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { UNTAXED } from './calculator.ts'
import type { TaxCalculator, Taxation } from './calculator.ts'

type RuleRow = RowOf<'TaxRule'> & { readonly address: Row | null }

/** The rules as they were created, each with the shipping address of the order, or else its billing address. */
const RULES = `SELECT rules.*, to_jsonb(addresses) AS address
  FROM tax_rules AS rules
  LEFT JOIN addresses ON addresses.environment_id = $1 AND addresses.id = coalesce($3::bigint, $4::bigint)
  WHERE rules.environment_id = $1 AND rules.manual_tax_calculator_id = $2
  ORDER BY rules.id`

export const manualTaxCalculator: TaxCalculator = {
  taxationOf: async (calculator, order, { run, scope }) => {
    const { shipping_address_id: shipping = null, billing_address_id: billing = null } = order
    const values = [scope.environmentId, calculator, shipping, billing]
    const rules = await run<RuleRow>({ text: RULES, values })
    return taxationBy(rules.find((rule) => matchesAddress(rule, rule.address ?? {})))
  },
}

/** Without an address only a rule without patterns of what must be found matches. */
const taxationBy = (rule: RuleRow | undefined): Taxation =>
  rule === undefined
    ? UNTAXED
    : {
        tax_rate: rule.tax_rate,
        freight_taxable: rule.freight_taxable,
        payment_method_taxable: rule.payment_method_taxable,
        gift_card_taxable: rule.gift_card_taxable,
        adjustment_taxable: rule.adjustment_taxable,
      }
