/**
 * The types of promotions in the order in which they apply when exclusivity and priority are the same: what gives articles away
 * or sets their price comes before what takes a part off, and what is for shipping alone comes last (docs/adr/0110).
 */
export const PROMOTION_TYPES = [
  'free_gift_promotions',
  'fixed_price_promotions',
  'buy_x_pay_y_promotions',
  'percentage_discount_promotions',
  'fixed_amount_promotions',
  'external_promotions',
  'flex_promotions',
  'free_shipping_promotions',
] as const

export type PromotionType = (typeof PROMOTION_TYPES)[number]

export const isPromotionType = (type: unknown): type is PromotionType =>
  PROMOTION_TYPES.some((known) => known === type)

/** The type that the id of a line's item is made with: promotions of all types are numbered together. */
export const idTypeOfItem = (type: string): string => (isPromotionType(type) ? 'promotions' : type)
