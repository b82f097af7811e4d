/** Turns the body of a request into a plan: parse, resolve, plan, check permissions, apply passes. */
import type { Clock } from '@merx/telemetry/clock'
import type { Resource } from '../catalogue/attribute.ts'
import type { Engine } from '../engine/engine.ts'
import type { TableSizes } from '../engine/table-sizes.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { applyPasses } from '../plan/passes/index.ts'
import { requireReadable } from '../plan/require-readable.ts'
import type { CursorCodec } from '../request/cursor.ts'
import type { Budget } from '../request/limits.ts'
import { parse, type QueryDialect } from '../request/parse.ts'
import { bodyKeyOf, type Kind } from '../request/query.ts'
import type { MayRead } from '../request/readable-types.ts'
import { resolve } from '../request/resolve.ts'
import type { Scope } from '../request/scope.ts'
import { timeStage } from '../telemetry.ts'

export interface QueryDeps {
  /** Reads of an organization, which waits for its turn. */
  readonly engineFor: (organizationId: string) => Engine
  readonly budget: Budget
  readonly dialect: QueryDialect
  readonly cursors: CursorCodec
  readonly clock: Clock
  /** Undefined: a query of any table uses as many threads as there are processors. */
  readonly tableSizes?: TableSizes
  /** Whether the tables are spread over the shards of a cluster. */
  readonly isCluster?: boolean
}

/** One query of a caller. `signal` ends it when the caller closes the connection. */
export interface QueryRequest {
  readonly kind: Kind
  readonly resource: Resource
  readonly body: unknown
  readonly scope: Scope
  readonly mayRead: MayRead
  readonly signal: AbortSignal
}

/** Throws AppError 400, 401 or 422. */
export const planQuery = (deps: QueryDeps, request: QueryRequest) =>
  timeStage('plan', () => {
    const { dialect, cursors, clock } = deps
    const { kind, resource, body, scope, mayRead } = request
    const raw = parse(bodyKeyOf(kind), body, dialect)
    const query = resolve(kind, raw, scope, { resource, dialect, cursors, now: clock.now(), mayRead })
    const unscoped = buildPlan(query)
    requireReadable(unscoped, mayRead)
    return { raw, query, plan: applyPasses(unscoped, { scope, resource }) }
  })
