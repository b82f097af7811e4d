import type { PlaceableCheck } from './facts.ts'

/** A gift card that the order names can be used for it, while the setting `orders_invalid_gift_card_errors` is on. */
export const giftCard: PlaceableCheck = ({ giftCard: violation }) =>
  violation === undefined ? [] : [violation]
