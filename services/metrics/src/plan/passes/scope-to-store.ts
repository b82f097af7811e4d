import type { Pass } from './pass.ts'

/** Only records associated with the store in the token's scope, when it has one that acts. */
export const scopeToStore: Pass = (plan, { scope }) =>
  scope.storeId === undefined ? plan : { ...plan, reach: { ...plan.reach, storeId: scope.storeId } }
