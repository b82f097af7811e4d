import type { Pass } from './pass.ts'

/** Only records of the markets in the token's scope, when it has one that acts. */
export const scopeToMarkets: Pass = (plan, { scope }) =>
  scope.marketIds === undefined ? plan : { ...plan, reach: { ...plan.reach, marketIds: scope.marketIds } }
