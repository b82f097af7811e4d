/** The pass that keeps the records of the token's organization and mode. */
import type { Pass } from './pass.ts'

export const scopeToEnvironment: Pass = (plan, { scope }) => {
  const { organizationId, mode } = scope
  return { ...plan, reach: { ...plan.reach, environment: { organizationId, mode } } }
}
