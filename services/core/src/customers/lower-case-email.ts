import type { Rule } from '@merx/jsonapi/rules'
import { normalizeEmail } from '@merx/validation/normalize'

/** Two spellings of one address are one customer. */
export const lowerCaseEmail: Rule = ({ sent, after }) => {
  const { email } = after
  return sent.has('email') && typeof email === 'string' ? { set: { email: normalizeEmail(email) } } : {}
}
