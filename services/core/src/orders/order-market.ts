import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'

/**
 * A new order is of the market in scope or the one that is sent, and of the store in scope (contract, Scopes rule 5).
 * Currency and tax come from the market's price list, the customer from the customer's own token (lifecycles.md 1.4).
 */
export const orderOfScope: Rule = async (context): Promise<RuleOutcome> => {
  if (context.operation !== 'create') return {}
  // That the market is unknown was said already.
  if (isUnresolved('market', context)) return {}
  const found = await marketOf(context)
  if ('fault' in found) return { violations: [found.fault] }
  const { market } = found
  const store = await storeOf(context, market['id'])
  if ('fault' in store) return { violations: [store.fault] }
  return {
    set: {
      market_id: market['id'],
      ...store.columns,
      ...(await termsOf(market, context)),
      ...(await customerOf(context)),
      country_code: await countryOf(context),
    },
  }
}

/** Whether a relationship was sent that leads nowhere: then its column was not set. */
const isUnresolved = (relationship: string, { sent, after }: RuleContext): boolean =>
  sent.has(relationship) && after[`${relationship}_id`] === undefined

/** What a market says of its orders: the currency and tax of its price list, and what they need to be placed. */
export const termsOf = async (market: Row, { find }: RuleContext): Promise<Row> => {
  const list = await find.byNumber('price_lists', market['price_list_id'])
  return {
    currency_code: list?.['currency_code'],
    tax_included: list?.['tax_included'],
    requires_billing_info: rowOf('Market', market).requires_billing_info,
  }
}

interface Refusal {
  readonly fault: WriteViolation
}

const refuse = (relationship: string, error: string, message: string): Refusal => ({
  fault: { at: { relationship }, error, message },
})

/** The market an order is or becomes of, if the writer may use it. */
export const marketOf = async ({
  after,
  sent,
  writer,
  find,
}: RuleContext): Promise<{ readonly market: Row } | Refusal> => {
  const [inScope, ...more] = writer.markets ?? []
  const number = sent.has('market') || more.length > 0 ? after['market_id'] : (inScope ?? after['market_id'])
  const market = await find.byNumber('markets', number)
  if (market === undefined) return refuse('market', 'blank', "can't be blank")
  if (writer.markets?.includes(rowOf('Market', market).id) === false)
    return refuse('market', 'noent', 'is not in scope')
  // What was sold there before is imported all the same.
  const isOpen = market['disabled_at'] === null || writer.isImport === true
  return isOpen ? { market } : refuse('market', 'disabled', 'is disabled')
}

/** The column of the store in scope, or of the one that is sent, which must be of the market. */
export const storeOf = async (
  { after, writer, find }: RuleContext,
  marketId: unknown,
): Promise<{ readonly columns: Row } | Refusal> => {
  const sent = after['store_id'] ?? null
  if (writer.store !== undefined && sent !== null && sent !== writer.store) {
    return refuse('store', 'noent', 'is not in scope')
  }
  const number = writer.store ?? sent
  if (number === null) return { columns: {} }
  const store = await find.byNumber('stores', number)
  return store?.['market_id'] === marketId
    ? { columns: { store_id: number } }
    : refuse('store', 'invalid', 'is not of the market')
}

/** A customer orders for themselves; an order knows the address of its customer unless one was sent (emailOfOrder). */
export const customerOf = async ({ after, sent, writer, find }: RuleContext): Promise<Row> => {
  const number = writer.customer ?? after['customer_id'] ?? null
  if (number === null) return {}
  const customer = await find.byNumber('customers', number)
  return {
    customer_id: number,
    ...(sent.has('customer_email') ? {} : { customer_email: customer?.['email'] ?? null }),
  }
}

/** Of the shipping address, else of the billing address. */
export const countryOf = async ({ after, find }: RuleContext): Promise<unknown> => {
  const number = after['shipping_address_id'] ?? after['billing_address_id'] ?? null
  const address = number === null ? undefined : await find.byNumber('addresses', number)
  return address?.['country_code'] ?? null
}
