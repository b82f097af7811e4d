/**
 * How far apart the records of earlier searches lay: the next one with the same conditions looks as far as it has to at once,
 * however many days it asks for. Only a hint: a page costs more where it is wrong, and is the same.
 */
import type { SearchPlan } from './plan/plan.ts'
import { searchKeyOf } from './search-key.ts'

export interface KnownSpacings {
  /** Milliseconds of the sort date from one record to the next, on average; undefined when nothing is known. */
  find(plan: SearchPlan): number | undefined
  learn(plan: SearchPlan, spacingMs: number): void
}

/** Beyond it those learnt first are forgotten. */
const SPACINGS_MAX = 1_000

export const createKnownSpacings = (spacingsMax = SPACINGS_MAX): KnownSpacings => {
  const spacings = new Map<string, number>()
  return {
    find: (plan) => spacings.get(searchKeyOf(plan)),
    learn: (plan, spacingMs) => {
      spacings.set(searchKeyOf(plan), spacingMs)
      const oldest = spacings.size > spacingsMax ? spacings.keys().next().value : undefined
      if (oldest !== undefined) spacings.delete(oldest)
    },
  }
}
