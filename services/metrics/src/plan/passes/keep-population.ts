import type { Pass } from './pass.ts'

/** Only records that belong to the resource: orders and carts are rows of one table, told apart by their status. */
export const keepPopulation: Pass = (plan, { resource }) =>
  resource.population === undefined
    ? plan
    : { ...plan, reach: { ...plan.reach, statuses: resource.population } }
