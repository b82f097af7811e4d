import type { Rule, RuleContext } from '@merx/jsonapi/rules'
import { normalizeEmail } from '@merx/validation/normalize'
import { IN_THE_MAKING } from './order-states.ts'

/**
 * `customer_email` and `customer` say the same of an order: who orders. Sent alone, an email names the customer
 * (order-workflow.ts); beside a customer, or by a customer's own token, it must be theirs, in any case of its letters,
 * and none means theirs. What an import brings is history: the address of then.
 */
export const emailOfOrder: Rule = async (context) => {
  const { before, after, sent, writer, find } = context
  if (writer.isImport === true || !sent.has('customer_email')) return {}
  // The rule changesOfOrder reports that it cannot be changed any more.
  if (before !== undefined && !IN_THE_MAKING.includes(String(before['status']))) return {}
  const isAlone = writer.customer === undefined && !sent.has('customer')
  const value = after['customer_email'] ?? null
  if (isAlone && value !== null) return {}
  const customer = await find.byNumber('customers', customerNumber(context), ['email'])
  if (customer === undefined) return {}
  const { email } = customer
  if (typeof value !== 'string') return { set: { customer_email: email } }
  if (normalizeEmail(value) === normalizeEmail(String(email))) return {}
  const whose = writer.customer === undefined ? 'of the customer in the relationship' : 'of who orders'
  const message = `must be the email ${whose}, or left out`
  return { violations: [{ at: { attribute: 'customer_email' }, error: 'invalid', message, value }] }
}

const customerNumber = ({ writer, after }: RuleContext): unknown => writer.customer ?? after['customer_id']
