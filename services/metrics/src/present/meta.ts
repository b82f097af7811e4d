/** Builds the `meta` of an answer. */
import type { Kind } from '../request/query.ts'
import type { Scope } from '../request/scope.ts'
import type { Answered } from '../run/answer-query.ts'

interface MetaInput {
  readonly kind: Exclude<Kind, 'export'> | 'fbt'
  /** The request id, a UUID. */
  readonly traceId: string
  readonly scope: Scope
  readonly marketIds: readonly string[]
  readonly answered: Answered
}

/** `meta` of an answer, in the order of the interface: pagination first (metrics.md 8.1). */
export const presentMeta = ({ kind, traceId, scope, marketIds, answered }: MetaInput) => ({
  ...(answered.pagination === undefined ? {} : { pagination: answered.pagination }),
  type: kind,
  trace_id: traceId,
  mode: scope.mode,
  organization_id: scope.organizationId,
  market_ids: marketIds,
  ...(answered.payload === undefined ? {} : { payload: answered.payload }),
})
