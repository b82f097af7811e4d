/** The line of the gift card that an order pays with: there is one as long as the card pays something. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import type { WantedGiftCards } from '../gift-cards/settle.ts'
import { findGiftCard, usableCents } from '../gift-cards/valid-gift-cards.ts'
import { NEW_LINE } from './order-lines.ts'
import type { OrderLine } from './order-lines.ts'
import { groupOf, isRedeemedGiftCard } from './totals/order-amounts.ts'

interface OrderWithGiftCard {
  readonly order: Row
  readonly lines: readonly OrderLine[]
}

const isRedeemed = ({ after }: OrderLine): boolean => after !== undefined && isRedeemedGiftCard(after)

/**
 * The line with all that the card could pay; what it does pay follows from the totals (`withPaidAmount`). An order that was
 * imported with a card of another system keeps what that paid.
 */
export const withGiftCard = async (
  order: Row,
  lines: readonly OrderLine[],
  step: WorkflowStep,
): Promise<OrderWithGiftCard> => {
  const card = await findGiftCard(order, step)
  const existing = lines.find(isRedeemed)
  if (card === undefined && existing === undefined) return { order, lines }
  const open = { ...order, gift_card_amount_cents: 0 }
  const cents = card === undefined ? 0 : usableCents(card, order, step.now)
  if (card === undefined || cents === 0) return { order: open, lines: lines.flatMap(withoutGiftCard) }
  const columns: Row = {
    order_id: order['id'],
    item_type: 'gift_cards',
    item_id: card.id,
    gift_card_id: card.id,
    name: 'Gift card',
    image_url: card.image_url,
    quantity: 1,
    currency_code: order['currency_code'],
    unit_amount_cents: -cents,
    distribute_discount: card.distribute_discount,
  }
  if (existing === undefined)
    return { order: open, lines: [...lines, { before: undefined, after: { ...NEW_LINE, ...columns } }] }
  return {
    order: open,
    lines: lines.map((line) =>
      line === existing ? { ...line, after: { ...line.after, ...columns } } : line,
    ),
  }
}

/** A line that pays nothing goes. */
export const withPaidAmount = (lines: readonly OrderLine[]): readonly OrderLine[] =>
  lines.flatMap((line): readonly OrderLine[] => {
    if (!isRedeemed(line)) return [line]
    const { total_amount_cents: paid = 0 } = columnsOf('LineItem', line.after ?? {})
    return paid === 0
      ? withoutGiftCard(line)
      : [{ ...line, after: { ...line.after, unit_amount_cents: paid } }]
  })

const withoutGiftCard = (line: OrderLine): readonly OrderLine[] => {
  if (!isRedeemed(line)) return [line]
  return line.before === undefined ? [] : [{ before: line.before, after: undefined }]
}

/** What the lines of an order mean to gift cards. */
export const wantedGiftCards = (lines: readonly Row[]): WantedGiftCards => {
  const ofCards = lines.flatMap((line) => {
    const {
      gift_card_id: card = null,
      unit_amount_cents: cents = 0,
      has_own_amount: isOwn = false,
    } = columnsOf('LineItem', line)
    return card === null ? [] : [{ line, card, cents, isOwn }]
  })
  const used = ofCards.find(({ line }) => isRedeemedGiftCard(line))
  return {
    use: used === undefined ? undefined : { card: used.card, cents: -used.cents },
    bought: ofCards
      .filter(({ line }) => groupOf(line) === 'gift_cards')
      .map(({ card, cents, isOwn }) => ({ card, cents: isOwn ? undefined : cents })),
  }
}
