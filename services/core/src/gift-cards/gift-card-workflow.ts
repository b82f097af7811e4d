/** Writes of gift cards: code and currency, how the balance may change, and whom the card is for. */
import { randomUUID } from 'node:crypto'
import type { Row } from '@merx/jsonapi/attributes'
import { amountCentsMaxOf } from '@merx/jsonapi/money'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { violationOfLength } from '../promotions/code-length.ts'
import { completeRecipient } from '../promotions/recipients.ts'
import { withBalanceEntry } from './logs.ts'

const RECIPIENT = { type: 'gift_card_recipients', relationship: 'gift_card_recipient' } as const

const CHANGE = '_balance_change_cents'

export const giftCardWorkflow: WriteWorkflow = {
  completesFrom: [
    'code',
    'currency_code',
    'market',
    'balance_cents',
    'balance_max_cents',
    CHANGE,
    'recipient_email',
    'gift_card_recipient',
  ],

  complete: async (planned, before, request, step) => {
    const after = rowOf('GiftCard', { status: 'draft', rechargeable: true, ...planned })
    const earlier = before === undefined ? undefined : rowOf('GiftCard', before)
    const code = earlier === undefined ? (after.code ?? randomUUID()) : after.code
    const length = earlier === undefined ? await violationOfLength('gift_cards', code, step) : undefined
    const violations = [
      ...(length === undefined ? [] : [length]),
      ...(await violationsOfCurrency(after, earlier, step)),
      ...violationsOfBalance(after, earlier, request),
    ]
    if (violations.length > 0) return { violations }
    const recipient = await completeRecipient(planned, request, RECIPIENT, step)
    return { ...recipient, set: { code, ...balanceColumns(after, earlier, step.now), ...recipient.set } }
  },
}

/** What is on a card keeps its currency once somebody may have paid for it; a market sells in its own. */
const violationsOfCurrency = async (
  { currency_code: currency, market_id: market }: RowOf<'GiftCard'>,
  before: RowOf<'GiftCard'> | undefined,
  { run, scope }: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  const at = { attribute: 'currency_code' }
  const isOther = before !== undefined && before.currency_code !== currency
  if (isOther && before.status !== 'draft') {
    const message = `cannot be changed on a gift card that is ${before.status}, only while it is draft`
    return [{ at, error: 'not_editable', message }]
  }
  if (market === null || market === undefined || (before?.market_id === market && !isOther)) return []
  const [list] = await run<Pick<RowOf<'PriceList'>, 'currency_code'>>({
    text: `SELECT price_lists.currency_code FROM markets
      JOIN price_lists ON price_lists.environment_id = $1 AND price_lists.id = markets.price_list_id
      WHERE markets.environment_id = $1 AND markets.id = $2`,
    values: [scope.environmentId, market],
  })
  if (list === undefined || list.currency_code === currency) return []
  const message = `must be ${list.currency_code}, the currency of the market`
  return [{ at, error: 'currency_mismatch', message, value: currency }]
}

const violationsOfBalance = (
  { currency_code: currency, ...after }: RowOf<'GiftCard'>,
  before: RowOf<'GiftCard'> | undefined,
  request: WriteRequest,
): readonly WriteViolation[] => {
  const at = { attribute: request.triggers.has(CHANGE) ? CHANGE : 'balance_cents' }
  const refuse = (error: string, message: string): readonly WriteViolation[] => [{ at, error, message }]
  const { balance_cents: balance, balance_max_cents: max } = after
  const change = balance - (before?.balance_cents ?? balance)
  if (change !== 0 && before?.status === 'redeemed')
    return refuse('redeemed', 'cannot be changed on a gift card that is redeemed')
  if (change > 0 && before?.status !== 'draft' && !after.rechargeable)
    return refuse('not_rechargeable', 'cannot grow on a gift card that is not rechargeable')
  if (balance < 0)
    return refuse('greater_than_or_equal_to', `leaves ${balance} on the gift card; the least is 0`)
  const most = amountCentsMaxOf(currency)
  if (balance > most) return refuse('less_than_or_equal_to', `makes the balance exceed ${most}`)
  if (typeof max !== 'number' || balance <= max) return []
  const isNewBalance = before === undefined || change !== 0
  const message = isNewBalance
    ? `makes the balance ${balance}, more than ${max}, the balance_max_cents`
    : `must be at least ${balance}, the balance`
  return [
    { at: isNewBalance ? at : { attribute: 'balance_max_cents' }, error: 'less_than_or_equal_to', message },
  ]
}

/** What a draft has is what the card begins with; later changes are logged. */
const balanceColumns = (
  { balance_cents: balance }: RowOf<'GiftCard'>,
  before: RowOf<'GiftCard'> | undefined,
  now: Date,
): Row => {
  if (before === undefined || before.status === 'draft') return { initial_balance_cents: balance }
  const change = balance - before.balance_cents
  return change === 0 ? {} : { balance_log: withBalanceEntry(before.balance_log, change, now) }
}
