import type { Pass } from './pass.ts'

/** Only records of the token's organization and mode. */
export const scopeToEnvironment: Pass = (plan, { scope }) => {
  const { organizationId, mode } = scope
  return { ...plan, reach: { ...plan.reach, environment: { organizationId, mode } } }
}
