import { boolean, cents, instant, list, object, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, currencyCode, email, url } from '../definitions/shapes.ts'
import {
  attachable,
  observed,
  tagAction,
  tagged,
  tagTriggers,
  versioned,
} from '../definitions/shared-relationships.ts'
import { rowOf } from '../engine/database/rows.ts'
import { currencyOfMarket } from '../markets/currency-of-market.ts'
import { CODE_CHARACTERS_MAX } from '../promotions/code-length.ts'
import { giftCardStates } from './gift-card-states.ts'
import { oneChangeOfBalance } from './one-change-of-balance.ts'

const filtered = { include: true, filter: true, sort: true } as const

/** Money that was paid, or given, before: orders use it by its code. */
export const giftCards = defineResource('gift_cards', {
  summary: 'Money that was paid, or given, before: orders use it by its code.',
  model: 'giftCard',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    status: oneOf(giftCardStates.states, { imported: true, filter: true, sort: true }),
    code: text({
      write: 'create',
      max: CODE_CHARACTERS_MAX,
      pattern: /^\S(.*\S)?$/u,
      unique: true,
      filter: true,
    }),
    currency_code: currencyCode({ write: 'always', filter: true, sort: true }),
    initial_balance_cents: cents(),
    balance_cents: cents({ write: 'always', required: true, min: 0, filter: true, sort: true }),
    balance_max_cents: cents({ write: 'always', min: 0, filter: true, sort: true }),
    balance_log: list(),
    usage_log: object(),
    single_use: boolean({ write: 'always', default: false, filter: true }),
    rechargeable: boolean({ write: 'always', default: true, filter: true }),
    distribute_discount: boolean({ write: 'always', default: true }),
    image_url: url(),
    expires_at: instant({ write: 'always', filter: true, sort: true }),
    recipient_email: email(),
    _purchase: trigger({ isCommand: true }),
    _activate: trigger({ isCommand: true }),
    _deactivate: trigger({ isCommand: true }),
    _balance_change_cents: trigger({ carries: 'integer', action: 'change_balance' }),
    ...tagTriggers,
  },
  relationships: {
    market: toOne('markets', { write: 'always', ...filtered }),
    gift_card_recipient: toOne('gift_card_recipients', { write: 'always', ...filtered }),
    ...attachable,
    ...observed,
    ...tagged('gift_card_id'),
    ...versioned,
  },
  actions: {
    ...tagAction,
    change_balance: (row, { value }) => ({
      balance_cents: rowOf('GiftCard', row).balance_cents + Number(value),
    }),
  },
  rules: [currencyOfMarket, oneChangeOfBalance],
})
