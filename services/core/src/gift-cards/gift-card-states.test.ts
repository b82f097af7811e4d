import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import { giftCardStates } from './gift-card-states.ts'

const [same, x] = ['repeated', 'invalid_transition']

test('every status of a gift card, with every trigger', async () => {
  expect(await transitionTable(giftCardStates, undefined)).toEqual({
    draft: { _purchase: 'inactive', _activate: x, _deactivate: x },
    inactive: { _purchase: same, _activate: 'active', _deactivate: same },
    active: { _purchase: x, _activate: same, _deactivate: 'inactive' },
    redeemed: { _purchase: x, _activate: x, _deactivate: x },
  })
})

test('every transition of a gift card, with what it changes', async () => {
  const [inactive, active] = [{ status: 'inactive' }, { status: 'active' }]
  expect(await transitionEffects(giftCardStates, undefined)).toEqual({
    initial: 'draft',
    purchase: ['integrations', 'draft', inactive, 'gift_cards.purchase'],
    activate: ['integrations', 'inactive', active, 'gift_cards.activate'],
    deactivate: ['integrations', 'active', inactive, 'gift_cards.deactivate'],
    redeem: ['code', 'active', { status: 'redeemed' }, 'gift_cards.redeem'],
    restore: ['code', 'redeemed', active, 'gift_cards.activate'],
    revoke: ['code', 'redeemed', inactive, 'gift_cards.deactivate'],
  })
})
