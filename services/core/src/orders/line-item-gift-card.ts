/** A line that buys a gift card: a draft, which the order makes active when it is placed, for what is on it. */
import type { RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf, rowOf } from '../engine/database/rows.ts'

/** Of a new line whose item is a gift card. An imported line may name one that another system had. */
export const ofGiftCard = async (context: RuleContext): Promise<RuleOutcome> => {
  const { after, sent, writer, find } = context
  const found = await find.byNumber('gift_cards', after['item_id'])
  if (found === undefined) return writer.isImport === true ? {} : { violations: [itemNeeded] }
  const card = rowOf('GiftCard', found)
  const violations = writer.isImport === true ? [] : await violationsOf(card, context)
  if (violations.length > 0) return { violations }
  const isSent = (attribute: string): boolean => sent.has(attribute) && (after[attribute] ?? null) !== null
  const hasAmount = isSent('unit_amount_cents')
  return {
    set: {
      gift_card_id: card.id,
      has_own_amount: hasAmount,
      ...(hasAmount ? {} : { unit_amount_cents: card.balance_cents }),
      ...(isSent('name') ? {} : { name: 'Gift card' }),
      ...(isSent('image_url') ? {} : { image_url: card.image_url }),
    },
  }
}

const itemNeeded: WriteViolation = {
  at: { relationship: 'item' },
  error: 'blank',
  message: "can't be blank on a line item of type gift_cards",
}

const violationsOf = async (
  { status, currency_code: currency, market_id: market, balance_cents: balance }: RowOf<'GiftCard'>,
  { after, sent, find }: RuleContext,
): Promise<readonly WriteViolation[]> => {
  const order = columnsOf('Order', (await find.byNumber('orders', after['order_id'])) ?? {})
  const refuse = (
    isRefused: boolean,
    at: NonNullable<WriteViolation['at']>,
    error: string,
    message: string,
  ) => (isRefused ? [{ at, error, message }] : [])
  const item = { relationship: 'item' }
  const isElsewhere = market !== null && market !== order.market_id
  const quantity = columnsOf('LineItem', after).quantity ?? 1
  const skuCode = sent.has('sku_code') && (after['sku_code'] ?? null) !== null
  return [
    ...refuse(status !== 'draft', item, 'not_draft', `is ${status}; a draft gift card can be bought`),
    ...refuse(balance === 0, item, 'no_balance', 'has a balance of 0, so that there is nothing to buy'),
    ...refuse(
      currency !== order.currency_code,
      item,
      'currency_mismatch',
      `is in ${currency}, and the order is in ${order.currency_code ?? 'another currency'}`,
    ),
    ...refuse(isElsewhere, item, 'other_market', 'is of another market than the order'),
    ...refuse(quantity !== 1, { attribute: 'quantity' }, 'equal_to', 'must be 1, because a gift card is one'),
    ...refuse(skuCode, { attribute: 'sku_code' }, 'invalid', 'cannot be sent with a gift card as item'),
  ]
}
