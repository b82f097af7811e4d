/** Scope text → what the token is narrowed to: parse, ask core, apply the rules. */
import type { Credential } from '../clients/credential.ts'
import type { Environment } from '../core/core-client.ts'
import { parseScope, type ParsedScope, type ScopeReference } from './parse-scope.ts'
import { NO_FACTS, type ScopeFacts } from './scope-facts.ts'
import { applyScopeRules, type ScopeSituation, type ScopeTarget } from './scope-rules.ts'

export interface ScopeFactsReader {
  resolveScope(environment: Environment, references: readonly ScopeReference[]): Promise<ScopeFacts>
}

export interface ResolvedScope extends ScopeTarget {
  readonly text: string
}

export const environmentOf = ({ organization, mode }: Credential): Environment => ({
  organizationId: organization.id,
  mode,
})

/** Scopes that the same facts gave before; a scope has few spellings, so what is more is nobody's habit. */
const RESOLVED_MAX = 100
const resolved = new WeakMap<ScopeFacts, Map<string, ResolvedScope>>()

const applyRules = (scope: ParsedScope, facts: ScopeFacts, situation: ScopeSituation): ResolvedScope => {
  const { kind, grant, isRecalculation, customerGroupId } = situation
  const known = resolved.get(facts) ?? new Map<string, ResolvedScope>()
  const key = `${kind} ${grant} ${isRecalculation} ${customerGroupId} ${scope.text}`
  const before = known.get(key)
  if (before !== undefined) return before
  const target = { text: scope.text, ...applyScopeRules(scope, facts, situation) }
  if (known.size >= RESOLVED_MAX) known.clear()
  resolved.set(facts, known.set(key, target))
  return target
}

/** @throws AppError invalid_scope; service errors of core as oauth_unavailable. */
export const resolveScope = async (
  text: string | undefined,
  credential: Credential,
  situation: Omit<ScopeSituation, 'kind'>,
  reader: ScopeFactsReader,
): Promise<ResolvedScope> => {
  const scope = parseScope(text)
  const { references } = scope
  const facts =
    references.length === 0 ? NO_FACTS : await reader.resolveScope(environmentOf(credential), references)
  return applyRules(scope, facts, { ...situation, kind: credential.kind })
}
