import type { MarketBlueprint } from './blueprint.ts'

/** Euro cents → the smallest unit of the market's currency, on a round price. */
export const inMarket = (cents: number, { priceFactor, priceStep }: MarketBlueprint): number =>
  Math.round((cents * priceFactor) / priceStep) * priceStep
