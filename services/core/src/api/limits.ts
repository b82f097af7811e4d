/** Which rate budget a request draws on (core-conventions.md 10). */
import { callerOf } from '@merx/access-token/authenticate'
import type { LimitRequestsOptions } from '@merx/rate-limit/limit-requests'
import type { Registry } from '../engine/registry.ts'

type BudgetOf = LimitRequestsOptions['budget']

const READS = ['GET', 'HEAD', 'OPTIONS']

/** One endpoint is one resource path such as `/api/addresses`; paths of no resource share one. */
export const budgetOf =
  (registry: Registry): BudgetOf =>
  (req, res) => {
    const path = /^\/([^/]+)/.exec(req.path)?.[1] ?? ''
    const definition = registry.findByPath(path)
    const endpoint = definition !== undefined ? `/api/${path}` : '/api'
    const { mode } = callerOf(res)
    if (!READS.includes(req.method)) return { class: 'write', mode, endpoint }
    const isCacheable = definition !== undefined && registry.facts.cacheable.has(definition.type)
    return { class: isCacheable ? 'read_cacheable' : 'read_uncacheable', mode, endpoint }
  }
