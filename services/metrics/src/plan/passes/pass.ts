/** A pass rewrites a plan for one reason. */
import type { Resource } from '../../catalogue/attribute.ts'
import type { Scope } from '../../request/scope.ts'
import type { Plan } from '../plan.ts'

export interface PassContext {
  readonly scope: Scope
  readonly resource: Resource
}

export type Pass = (plan: Plan, context: PassContext) => Plan
