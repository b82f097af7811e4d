/**
 * Scope facts that are at most a second old, so that a shop asking for the same scope again and again costs core one
 * call a second. A market that is disabled is refused a second later at most.
 */
import type { Clock } from '@merx/telemetry/clock'
import { scopePart } from '../scopes/parse-scope.ts'
import type { ScopeFactsReader } from '../scopes/resolve-scope.ts'
import { createRecent } from '../store/recent.ts'

const FRESH_MS = 1_000
const ENTRIES_MAX = 5_000

export const withRecentFacts = (reader: ScopeFactsReader, clock: Clock): ScopeFactsReader => {
  const recent = createRecent<Awaited<ReturnType<ScopeFactsReader['resolveScope']>>>({
    freshMs: FRESH_MS,
    entriesMax: ENTRIES_MAX,
    clock,
  })
  return {
    resolveScope: (environment, references) => {
      const key = [environment.organizationId, environment.mode, ...references.map(scopePart)].join(' ')
      return recent.get(key, () => reader.resolveScope(environment, references))
    },
  }
}
