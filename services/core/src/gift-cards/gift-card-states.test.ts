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
