/** What an external tax calculator says of a line → how the line is taxed. */
import type { Row } from '@merx/jsonapi/attributes'
import { minorDigitsOf } from '@merx/jsonapi/money'
import { columnsOf } from '../engine/database/rows.ts'
import type { TaxedLine } from './calculator.ts'

export interface AnsweredLine {
  readonly id: string
  readonly tax_rate?: number | null
  /** In units of the currency: 9.0 is 900 cents, and 9 yen. */
  readonly tax_collectable?: number | null
}

/** What is to be collected goes before the rate; the rate that gives exactly that amount is what the arithmetic works with. */
export const taxedLine = (
  answered: AnsweredLine | undefined,
  line: Row,
  order: Row,
): TaxedLine | undefined => {
  if (answered === undefined) return undefined
  const { id: _id, tax_rate: own = null, tax_collectable: collectable = null, ...rest } = answered
  const breakdown: Row = { ...rest, ...(own === null ? {} : { tax_rate: own }) }
  if (collectable === null) return own === null ? undefined : { tax_rate: own.toFixed(8), breakdown }
  const { total_amount_cents: total = 0, discount_cents: discount = 0 } = columnsOf('LineItem', line)
  const { currency_code: currency = '', tax_included: isIncluded = false } = columnsOf('Order', order)
  const cents = Math.round(collectable * 10 ** minorDigitsOf(currency))
  const base = total + discount - (isIncluded ? cents : 0)
  if (base <= 0) return undefined
  return {
    tax_rate: Math.min(99, cents / base).toFixed(8),
    breakdown: { ...breakdown, tax_collectable: collectable },
  }
}
