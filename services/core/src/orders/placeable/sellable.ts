import type { PlaceableCheck } from './facts.ts'

/**
 * Every SKU is in a stock location of the market, in any quantity. Its price was looked up, or given by an integration, when
 * its line was made.
 */
export const sellable: PlaceableCheck = ({ skus }) =>
  skus
    .filter(({ isStocked }) => !isStocked)
    .map(({ code }) => ({
      at: { relationship: 'line_items' },
      error: 'not_stocked',
      message: `has ${code}, which is in no stock location of the order's market`,
      value: code,
    }))
