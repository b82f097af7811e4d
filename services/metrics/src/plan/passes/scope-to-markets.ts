/** The pass that keeps the records of the markets in the token's scope, if that narrows the caller. */
import type { Pass } from './pass.ts'

export const scopeToMarkets: Pass = (plan, { scope }) =>
  scope.marketIds === undefined ? plan : { ...plan, reach: { ...plan.reach, marketIds: scope.marketIds } }
