/** Numbers of cards are never stored: whoever keeps them answers to the card schemes. */
import type { Rule } from '@merx/jsonapi/rules'

/** Attributes in which a client might send a number in place of a token. */
const TOKENS = [
  'customer_token',
  'payment_source_token',
  'token',
  'payment_method_nonce',
  'auth_token',
] as const

/**
 * Card numbers have 12 to 19 digits, often in groups; the last one makes the Luhn sum end in 0 (ISO/IEC 7812-1). Full-width
 * digits, dots, dashes and spaces of any kind hide none.
 */
export const isCardNumber = (text: string): boolean => {
  const digits = text.normalize('NFKC').replaceAll(/[\s.\p{Dash_Punctuation}\p{Format}]/gu, '')
  return /^\d{12,19}$/.test(digits) && luhnSum(digits) % 10 === 0
}

const luhnSum = (digits: string): number =>
  [...digits].toReversed().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)

export const noCardNumbers: Rule = ({ after, sent }) => {
  const violations = TOKENS.filter((name) => {
    const value = after[name]
    return sent.has(name) && typeof value === 'string' && isCardNumber(value)
  }).map((attribute) => ({
    at: { attribute },
    error: 'invalid',
    message: 'is the number of a card; send the token that the gateway gave for it',
  }))
  return violations.length === 0 ? {} : { violations }
}
