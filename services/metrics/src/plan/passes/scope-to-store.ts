/** The pass that keeps the records of the store in the token's scope, if that narrows the caller. */
import type { Pass } from './pass.ts'

export const scopeToStore: Pass = (plan, { scope }) =>
  scope.storeId === undefined ? plan : { ...plan, reach: { ...plan.reach, storeId: scope.storeId } }
