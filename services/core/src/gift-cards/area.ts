import type { Area } from '../engine/area.ts'
import { transitionCommand } from '../states/transition-command.ts'
import { giftCardRecipients } from './gift-card-recipients.ts'
import { giftCardStates } from './gift-card-states.ts'
import { giftCardWorkflow } from './gift-card-workflow.ts'
import { giftCards as giftCardsResource } from './gift-cards.ts'
import { giftCardVisibility } from './visibility.ts'

const start = (trigger: `_${string}`) => transitionCommand(giftCardStates, trigger, () => undefined)

export const giftCards: Area = {
  resources: [giftCardsResource, giftCardRecipients],
  visibility: { gift_cards: giftCardVisibility },
  workflows: { gift_cards: giftCardWorkflow },
  commands: { gift_cards: [start('_purchase'), start('_activate'), start('_deactivate')] },
  topics: {
    gift_cards: ['create', 'purchase', 'activate', 'deactivate', 'use', 'redeem', 'destroy', 'tagged'],
  },
}
