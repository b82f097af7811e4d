/** The gift card of a code, and what stands against using it for an order. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'

type Reading = Pick<WorkflowStep, 'run' | 'scope' | 'now'>

/** A card, and what the order has taken from it already. */
export type FoundGiftCard = RowOf<'GiftCard'> & { readonly own_cents: number }

export interface GiftCardProblem {
  readonly error: string
  readonly message: string
}

/** Fewer characters than these mean no card. */
export const PREFIX_CHARACTERS_MIN = 8

const COLUMNS = `SELECT cards.*, coalesce(uses.amount_cents, 0) AS own_cents FROM gift_cards AS cards
  LEFT JOIN gift_card_uses AS uses
    ON uses.environment_id = $1 AND uses.order_id = $3 AND uses.gift_card_id = cards.id
  WHERE cards.environment_id = $1`

/** The card that has the code. */
export const findGiftCard = async (
  order: Row,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<FoundGiftCard | undefined> => {
  const { id = null, gift_card_code: code = null } = columnsOf('Order', order)
  if (code === null || code === '') return undefined
  const values = [scope.environmentId, code, id]
  const [found] = await run<FoundGiftCard>({ text: `${COLUMNS} AND cards.code = $2`, values })
  return found
}

/** That one, or the only card whose code begins so, unless the organization wants codes in full. */
export const findGiftCardByPrefix = async (
  order: Row,
  step: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<FoundGiftCard | undefined> => {
  const found = await findGiftCard(order, step)
  const { id = null, gift_card_code: code = null } = columnsOf('Order', order)
  if (found !== undefined || code === null || [...code].length < PREFIX_CHARACTERS_MIN) return found
  if ((await readSetting('gift_cards_exact_code_matching', step)) === true) return undefined
  const [only, ...others] = await step.run<FoundGiftCard>({
    text: `${COLUMNS} AND cards.code COLLATE "C" >= $2 AND cards.code COLLATE "C" < $2 || chr(1114111) LIMIT 2`,
    values: [step.scope.environmentId, code, id],
  })
  return others.length === 0 ? only : undefined
}

const PROBLEMS = {
  inactive: { error: 'inactive', message: 'is of a gift card that is not active' },
  expired: { error: 'expired', message: 'has expired' },
  elsewhere: { error: 'invalid', message: 'is for another market or currency' },
  recipient: { error: 'invalid_recipient', message: 'is for somebody else' },
  empty: { error: 'used_up', message: 'has nothing left' },
} as const satisfies Readonly<Record<string, GiftCardProblem>>

/** What the order itself has taken counts as still there. */
export const problemOfGiftCard = (
  card: FoundGiftCard,
  order: Row,
  now: Date,
): GiftCardProblem | undefined => {
  const { market_id: market, currency_code: currency, customer_email: email } = columnsOf('Order', order)
  const isOwn = card.own_cents > 0
  if (card.status === 'redeemed' && !isOwn) return PROBLEMS.empty
  if (card.status !== 'active' && card.status !== 'redeemed') return PROBLEMS.inactive
  if (card.expires_at !== null && card.expires_at <= now) return PROBLEMS.expired
  if (card.currency_code !== currency || (card.market_id !== null && card.market_id !== market))
    return PROBLEMS.elsewhere
  const recipient = card.recipient_email?.toLowerCase()
  if (recipient !== undefined && recipient !== email?.toLowerCase()) return PROBLEMS.recipient
  return card.balance_cents + card.own_cents > 0 ? undefined : PROBLEMS.empty
}

/** What the order can take: what it has taken stays its own, whatever became of the card. */
export const usableCents = (card: FoundGiftCard, order: Row, now: Date): number =>
  problemOfGiftCard(card, order, now) === undefined ? card.balance_cents + card.own_cents : card.own_cents

/** What stands against the code that an order has; undefined when there is none. */
export const problemOfCode = async (order: Row, step: Reading): Promise<GiftCardProblem | undefined> => {
  const { gift_card_code: code = null } = columnsOf('Order', order)
  if (code === null || code === '') return undefined
  const card = await findGiftCard(order, step)
  return card === undefined ? UNKNOWN_CODE : problemOfGiftCard(card, order, step.now)
}

export const UNKNOWN_CODE: GiftCardProblem = { error: 'noent_gift_card', message: "doesn't exist" }
