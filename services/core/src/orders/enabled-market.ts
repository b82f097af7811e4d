import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext } from '@merx/jsonapi/rules'
import { DESCRIPTIVE, memberOfOrder } from './order-changes.ts'

/** What becomes of an order that was placed, and what is copied from it to its customer. Nothing of it sells. */
const AFTER_SALE: readonly string[] = [
  '_approve',
  '_approve_and_capture',
  '_capture',
  '_cancel',
  '_refund',
  '_fulfill',
  '_stop_editing',
  '_commit_invoice',
  '_refund_invoice',
  '_fix_payment_source',
  '_save_payment_source_to_customer_wallet',
  '_save_shipping_address_to_customer_address_book',
  '_save_billing_address_to_customer_address_book',
]

const LEFT_OPEN: ReadonlySet<string> = new Set([...DESCRIPTIVE, ...AFTER_SALE])

/** Whether nothing is sold any more in the market of the order (lifecycles.md 10). */
export const isOfDisabledMarket = async (
  order: Row,
  { find }: Pick<RuleContext, 'find'>,
): Promise<boolean> => {
  const market = await find.byNumber('markets', order['market_id'], ['disabled_at'])
  return (market?.['disabled_at'] ?? null) !== null
}

/**
 * No order is built or placed in a disabled market; what was placed there is still described, paid, fulfilled and
 * cancelled. An order that goes to another market is judged by that one (linksOfOrder).
 */
export const enabledMarket: Rule = async (context) => {
  const { before, after, sent, writer } = context
  if (before === undefined || writer.isImport === true || before['market_id'] !== after['market_id'])
    return {}
  const building = [...sent].filter((name) => !LEFT_OPEN.has(name))
  if (building.length === 0 || !(await isOfDisabledMarket(before, context))) return {}
  const message = 'cannot be changed on an order of a market that is disabled'
  return { violations: building.map((name) => ({ at: memberOfOrder(name), error: 'disabled', message })) }
}
