/** The scope a refresh asks for, against the one first granted: equal or narrower, never wider (RFC 6749 6). */
import {
  invalidScope,
  parseScope,
  scopePart,
  SCOPE_RESOURCES,
  type ParsedScope,
  type ScopeResource,
} from '@merx/access-token/parse-scope'

const partsOf = (scope: ParsedScope, type: ScopeResource): readonly string[] =>
  scope.references.filter((reference) => reference.type === type).map(scopePart)

const isSubset = (part: readonly string[], whole: readonly string[]): boolean =>
  part.every((item) => whole.includes(item))

/**
 * Fewer markets are narrower; a store or a stock location left out would be wider.
 * @returns the scope text to grant: the requested one when given, else the original.
 * @throws AppError invalid_scope naming the original scope.
 */
export const narrowScope = (original: string, requested: string | undefined): string => {
  if (requested === undefined || requested.trim() === '') return original
  const granted = parseScope(original)
  const wanted = parseScope(requested)
  const isNarrower =
    granted.isAllMarkets ||
    (!wanted.isAllMarkets &&
      SCOPE_RESOURCES.every((type) => {
        const before = partsOf(granted, type)
        const after = partsOf(wanted, type)
        if (!isSubset(after, before)) return false
        return type === 'market' && after.length > 0 ? true : after.length === before.length
      }))
  if (isNarrower) return requested
  throw invalidScope(
    `The scope '${requested}' is wider than the one granted first; allowed: '${original}' or fewer of its markets.`,
  )
}
