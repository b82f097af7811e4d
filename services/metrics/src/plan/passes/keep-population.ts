/** The pass that keeps the records of the resource: orders and carts are rows of one table that differ in their status. */
import type { Pass } from './pass.ts'

export const keepPopulation: Pass = (plan, { resource }) =>
  resource.population === undefined
    ? plan
    : { ...plan, reach: { ...plan.reach, statuses: resource.population } }
