/**
 * Scope facts less than a second old, so that a shop that requests the same scope again and again costs core one call a
 * second. A market that is disabled is refused a second later at most.
 */
import { scopePart, type ScopeReference } from '@merx/access-token/parse-scope'
import type { Clock } from '@merx/telemetry/clock'
import type { ScopeFactsReader } from '../scopes/resolve-scope.ts'
import type { ScopeFacts } from '../scopes/scope-facts.ts'
import { createRecentCache } from '../store/recent-cache.ts'
import type { Environment } from './core-client.ts'

const CACHED_MAX = 5_000

interface Question {
  readonly environment: Environment
  readonly references: readonly ScopeReference[]
}

export const withRecentFacts = (reader: ScopeFactsReader, clock: Clock): ScopeFactsReader => {
  const cache = createRecentCache<ScopeFacts, Question>({
    entriesMax: CACHED_MAX,
    clock,
    load: (_key, { environment, references }) => reader.resolveScope(environment, references),
  })
  return {
    resolveScope: (environment, references) => {
      const key = [environment.organizationId, environment.mode, ...references.map(scopePart)].join(' ')
      return cache.forceFetch(key, { context: { environment, references } })
    },
  }
}
