/** The passes, in order. Each is independent of the others. */
import type { Plan } from '../plan.ts'
import { breakTies } from './break-ties.ts'
import { clampRange } from './clamp-range.ts'
import { keepPopulation } from './keep-population.ts'
import type { Pass, PassContext } from './pass.ts'
import { scopeToEnvironment } from './scope-to-environment.ts'
import { scopeToMarkets } from './scope-to-markets.ts'
import { scopeToStore } from './scope-to-store.ts'

const passes: readonly Pass[] = [
  clampRange,
  scopeToEnvironment,
  scopeToMarkets,
  scopeToStore,
  keepPopulation,
  breakTies,
]

/** The plan after every pass. */
export const applyPasses = (plan: Plan, context: PassContext): Plan =>
  passes.reduce((current, pass) => pass(current, context), plan)
