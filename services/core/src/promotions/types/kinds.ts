/** All types of promotions. Adding one is one file here and one line: docs/how-to/add-a-promotion-kind.md. */
import type { PromotionKind } from '../promotion-kind.ts'
import { buyXPayY } from './buy-x-pay-y.ts'
import { external } from './external.ts'
import { fixedAmount } from './fixed-amount.ts'
import { fixedPrice } from './fixed-price.ts'
import { flex } from './flex.ts'
import { freeGift } from './free-gift.ts'
import { freeShipping } from './free-shipping.ts'
import { percentageDiscount } from './percentage-discount.ts'

export const kinds: readonly PromotionKind[] = [
  freeGift,
  fixedPrice,
  buyXPayY,
  percentageDiscount,
  fixedAmount,
  external,
  flex,
  freeShipping,
]
