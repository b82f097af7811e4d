/** Scope text → what the token is narrowed to: parse, ask core, apply the rules. */
import { parseScope, type ScopeReference } from '@merx/access-token/parse-scope'
import type { Credential } from '../clients/credential.ts'
import type { Environment } from '../core/core-client.ts'
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
  return { text: scope.text, ...applyScopeRules(scope, facts, { ...situation, kind: credential.kind }) }
}
