/**
 * Makes gift cards follow an order: the one it pays with loses what the order takes, those it buys become active. When the
 * order was edited, the difference; when it is cancelled, all of it back. The cards are locked in the order of their numbers,
 * after coupons and promotions, so that of many buyers none takes what another has taken (docs/adr/0113).
 */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { ReactionStep } from '../engine/write/react.ts'
import { transition } from '../states/transition.ts'
import { giftCardStates } from './gift-card-states.ts'
import { withUsageEntry } from './logs.ts'
import { problemOfGiftCard } from './valid-gift-cards.ts'

type Card = RowOf<'GiftCard'>
type Order = RowOf<'Order'>
type Use = Pick<RowOf<'GiftCardUse'>, 'gift_card_id' | 'amount_cents'>
type Step = Pick<ReactionStep, 'run' | 'registry' | 'scope' | 'now'>
type Transition = keyof typeof giftCardStates.transitions

/** What the lines of an order want of gift cards. */
export interface WantedGiftCards {
  readonly use: { readonly card: number; readonly cents: number } | undefined
  /** `cents` is what the card costs; undefined when the shop gave it another price than its balance. */
  readonly bought: readonly { readonly card: number; readonly cents: number | undefined }[]
}

export interface SettledGiftCards {
  /** Why that cannot be; then nothing must be written: the caller fails its write. */
  readonly violations: readonly WriteViolation[]
  readonly writes: readonly RowWrite[]
}

/** A card as it was, and as the steps so far leave it. */
interface ChangingCard {
  readonly before: Card
  after: Card
  readonly topics: string[]
}

const NOTHING: WantedGiftCards = { use: undefined, bought: [] }

/** All that the order took, and what it bought cannot be used any more. */
export const giveBackGiftCards = async (order: Order, step: Step): Promise<readonly RowWrite[]> =>
  (await settleGiftCards(order, NOTHING, step)).writes

export const settleGiftCards = async (
  order: Order,
  { use, bought }: WantedGiftCards,
  step: Step,
): Promise<SettledGiftCards> => {
  const stored = await readStored(order.id, step)
  const numbers = [
    ...stored.uses.map((each) => each.gift_card_id),
    ...stored.bought,
    ...bought.map((each) => each.card),
  ]
  const cards = await lockCards(use === undefined ? numbers : [...numbers, use.card], step)
  const violations: WriteViolation[] = []
  for (const { gift_card_id: number, amount_cents: cents } of stored.uses) {
    const card = cards.get(number)
    if (card !== undefined && use?.card !== number) await giveBack(card, cents, order, step)
  }
  const own = stored.uses.find(({ gift_card_id: number }) => number === use?.card)?.amount_cents ?? 0
  if (use !== undefined) violations.push(...(await take(cards.get(use.card), use.cents, own, order, step)))
  for (const number of stored.bought) {
    const card = cards.get(number)
    if (card === undefined || bought.some((each) => each.card === number)) continue
    card.after = { ...card.after, order_id: null }
    if (card.after.status === 'active') await start(card, 'deactivate')
    if (card.after.status === 'redeemed') await start(card, 'revoke')
  }
  for (const { card: number, cents } of bought)
    if (!stored.bought.includes(number)) violations.push(...(await buy(cards.get(number), cents, order)))
  if (violations.length > 0) return { violations, writes: [] }
  await storeUse(order.id, stored.uses, use, step)
  return { violations, writes: [...cards.values()].flatMap((card) => writesOf(card, step)) }
}

const readStored = async (
  order: number,
  { run, scope }: Step,
): Promise<{ readonly uses: readonly Use[]; readonly bought: readonly number[] }> => {
  const values = [scope.environmentId, order]
  const uses = await run<Use>({
    text: 'SELECT gift_card_id, amount_cents FROM gift_card_uses WHERE environment_id = $1 AND order_id = $2',
    values,
  })
  const bought = await run<Pick<Card, 'id'>>({
    text: 'SELECT id FROM gift_cards WHERE environment_id = $1 AND order_id = $2 ORDER BY id',
    values,
  })
  return { uses, bought: bought.map(({ id }) => id) }
}

const lockCards = async (
  numbers: readonly number[],
  { run, scope }: Step,
): Promise<ReadonlyMap<number, ChangingCard>> => {
  if (numbers.length === 0) return new Map()
  const rows = await run<Card>({
    text: `SELECT * FROM gift_cards WHERE environment_id = $1 AND id = ANY($2::bigint[])
      ORDER BY id FOR NO KEY UPDATE`,
    values: [scope.environmentId, [...new Set(numbers)]],
  })
  return new Map(rows.map((row) => [row.id, { before: row, after: row, topics: [] }]))
}

const take = async (
  card: ChangingCard | undefined,
  cents: number,
  own: number,
  order: Order,
  step: Step,
): Promise<readonly WriteViolation[]> => {
  const refuse = (message: string): readonly WriteViolation[] => [
    { at: { attribute: 'gift_card_code' }, error: 'invalid_gift_card', message, value: order.gift_card_code },
  ]
  const isMore = cents > own
  const problem =
    isMore && card !== undefined
      ? problemOfGiftCard({ ...card.after, own_cents: own }, order, step.now)
      : undefined
  if (card === undefined || problem !== undefined)
    return refuse(`${problem?.message ?? 'was deleted'}; send _refresh to place the order without it`)
  const left = card.after.balance_cents + own
  if (left < cents) return refuse(`has ${left} left, and the order takes ${cents}; send _refresh`)
  if (cents !== own) change(card, own - cents, order, step)
  if (isMore) card.topics.push('gift_cards.use')
  const { single_use: isSingleUse, rechargeable, balance_cents: balance, status } = card.after
  const isUsedUp = isSingleUse || (balance === 0 && !rechargeable)
  if (isUsedUp && status === 'active') await start(card, 'redeem')
  if (!isUsedUp && status === 'redeemed') await start(card, 'restore')
  return []
}

/** A card that the order had used up is active again. */
const giveBack = async (card: ChangingCard, cents: number, order: Order, step: Step): Promise<void> => {
  change(card, cents, order, step)
  if (card.after.status === 'redeemed') await start(card, 'restore')
}

/** Takes from the card, or gives back to it, and logs it. */
const change = (card: ChangingCard, cents: number, order: Order, step: Step): void => {
  const balance = card.after.balance_cents + cents
  const entry = {
    action: cents < 0 ? ('use' as const) : ('refund' as const),
    amount_cents: cents,
    balance_cents: balance,
    order_number: order.number,
    datetime: step.now.toISOString(),
  }
  const id = step.registry.ids.encode('orders', order.id)
  const log = withUsageEntry(card.after.usage_log, id, entry)
  card.after = rowOf('GiftCard', { ...card.after, balance_cents: balance, usage_log: log })
}

const buy = async (
  card: ChangingCard | undefined,
  cents: number | undefined,
  order: Order,
): Promise<readonly WriteViolation[]> => {
  const refuse = (message: string): readonly WriteViolation[] => [
    { at: { relationship: 'line_items' }, error: 'invalid_gift_card', message },
  ]
  if (card?.after.status !== 'draft')
    return refuse(`have a gift card that is ${card?.after.status ?? 'deleted'}; only a draft can be bought`)
  const { currency_code: currency, market_id: market, balance_cents: balance } = card.after
  if (currency !== order.currency_code || (market !== null && market !== order.market_id))
    return refuse('have a gift card of another market or currency')
  if (cents !== undefined && cents !== balance)
    return refuse(
      `have a gift card for ${cents} whose balance is ${balance}; remove the line and add it again`,
    )
  card.after = { ...card.after, order_id: order.id }
  await start(card, 'purchase')
  await start(card, 'activate')
  return []
}

const start = async (card: ChangingCard, name: Transition): Promise<void> => {
  const { violations, set, topics } = await transition(giftCardStates, card.after, {
    start: { transition: name },
    subject: undefined,
  })
  if (violations.length > 0) throw new Error(`${name} of a gift card that is ${card.after.status}`)
  card.after = rowOf('GiftCard', { ...card.after, ...set })
  card.topics.push(...topics)
}

/** An order has one card at a time. */
const storeUse = async (
  order: number,
  stored: readonly Use[],
  use: WantedGiftCards['use'],
  { run, scope }: Step,
): Promise<void> => {
  if (use === undefined && stored.length === 0) return
  if (use === undefined)
    await run({
      text: 'DELETE FROM gift_card_uses WHERE environment_id = $1 AND order_id = $2',
      values: [scope.environmentId, order],
    })
  else
    await run({
      text: `INSERT INTO gift_card_uses (environment_id, order_id, gift_card_id, amount_cents) VALUES ($1, $2, $3, $4)
        ON CONFLICT (environment_id, order_id)
        DO UPDATE SET gift_card_id = excluded.gift_card_id, amount_cents = excluded.amount_cents`,
      values: [scope.environmentId, order, use.card, use.cents],
    })
}

const WRITTEN = ['status', 'balance_cents', 'usage_log', 'order_id'] as const

const writesOf = ({ before, after, topics }: ChangingCard, { registry }: Step): readonly RowWrite[] => {
  if (before === after) return []
  const columns = Object.fromEntries(WRITTEN.map((name) => [name, after[name]]))
  return [{ definition: registry.require('gift_cards'), before, columns, topics }]
}
