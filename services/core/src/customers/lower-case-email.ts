import type { Rule } from '@merx/jsonapi/rules'

/** Two spellings of one address are one customer. */
export const lowerCaseEmail: Rule = ({ sent, after }) => {
  const { email } = after
  return sent.has('email') && typeof email === 'string' ? { set: { email: email.toLowerCase() } } : {}
}
