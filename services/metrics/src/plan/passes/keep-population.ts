import type { Pass } from './index.ts'

/** Only records that belong to the resource: the store also holds orders that were not placed yet. */
export const keepPopulation: Pass = (plan, { resource }) => ({
  ...plan,
  reach: { ...plan.reach, statuses: resource.population },
})
