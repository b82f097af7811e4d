/** Builds the plan of a resolved query. The passes add what the caller may see. */
import { limits } from '../request/limits.ts'
import type { Breakdown, Query } from '../request/query.ts'
import type { Level, Plan, Reach } from './plan.ts'

const toLevels = (breakdown: Breakdown | undefined): readonly Level[] => {
  if (breakdown === undefined) return []
  const { by, field, operator, sort, limit, condition, breakdown: inner } = breakdown
  const level: Level = {
    key: { attribute: by },
    measure: { field, operator },
    order: [{ by: 'value', direction: sort }],
    limit,
    ...(condition === undefined ? {} : { condition }),
  }
  return [level, ...toLevels(inner)]
}

export const buildPlan = (query: Query): Plan => {
  const { resource, filter } = query
  const reach: Reach = { table: resource.table, range: filter.range, predicates: filter.predicates }
  switch (query.kind) {
    case 'stats':
      return { kind: 'aggregate', reach, levels: [{ measure: query.stats, order: [] }] }
    case 'breakdown':
      return { kind: 'aggregate', reach, levels: toLevels(query.breakdown) }
    case 'date_breakdown': {
      const { by, interval, field, operator, breakdown } = query.dateBreakdown
      const dates: Level = {
        key: { attribute: by, interval },
        measure: { field, operator },
        order: [{ by: 'key', direction: 'asc' }],
      }
      return { kind: 'aggregate', reach, levels: [dates, ...toLevels(breakdown)] }
    }
    case 'search': {
      const { fields, sort, sortBy, limit, after } = query.search
      const order = [{ attribute: sortBy, direction: sort }]
      return { kind: 'search', reach, fields, order, limit, ...(after === undefined ? {} : { after }) }
    }
    case 'export': {
      const { fields, sort, sortBy } = query.export
      const order = [{ attribute: sortBy, direction: sort }]
      return { kind: 'export', reach, fields, order, recordsMax: limits.exportMax }
    }
  }
}
