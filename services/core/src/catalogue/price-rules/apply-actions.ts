/** What a price comes to under the rules that are met: one action after the other, each on what the one before left. Pure. */
import { ratioOf } from '../../definitions/ratio.ts'
import type { RuleOutcome } from '../../rules-engine/ask-rules.ts'
import type { Action } from '../../rules-engine/rules.ts'

export interface PriceAmounts {
  readonly amount_cents: number
  readonly compare_at_amount_cents: number | null
}

/** Never below zero. An action on a compare-at amount that the price does not have changes nothing. */
export const applyActions = (outcomes: readonly RuleOutcome[], before: PriceAmounts): PriceAmounts =>
  outcomes
    .flatMap(({ actions }) => actions)
    .filter(({ lines }) => lines.length > 0)
    .reduce((amounts, { action }) => applyAction(action, amounts), before)

const applyAction = (action: Action, amounts: PriceAmounts): PriceAmounts => {
  const name = action.apply_on === 'compare_at_amount_cents' ? 'compare_at_amount_cents' : 'amount_cents'
  const cents = amounts[name]
  return cents === null ? amounts : { ...amounts, [name]: Math.max(0, centsAfter(action, cents)) }
}

const MILLION = 1_000_000

const centsAfter = ({ type, value }: Action, cents: number): number => {
  const number = Number(value)
  switch (type) {
    case 'percentage':
      return cents - ratioOf(cents, Math.round(number * MILLION), MILLION)
    case 'fixed_amount':
      return cents - number
    case 'fixed_price':
      return number
    // The schema allows prices no other types.
    case 'buy_x_pay_y':
    case 'every_x_discount_y':
    case 'free_gift':
      return cents
  }
}
