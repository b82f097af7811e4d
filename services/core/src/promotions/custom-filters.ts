/**
 * The filters of a custom rule: those of `GET /api/orders`, asked of the order as it is about to be stored. They run as the
 * same SQL; the order and its lines as planned take the place of the stored ones.
 */
import { AppErrors } from '@merx/errors/app-error'
import type { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { joinListValues } from '@merx/jsonapi/list-values'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import type { Filter } from '@merx/jsonapi/query'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import type { Registry } from '../engine/registry.ts'
import { createParams } from '../engine/sql/params.ts'
import { matchingRows } from '../engine/sql/select-page.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { withKeys } from './planned-line.ts'

/** Of one rule: as many as merchants combine in one promotion, and far fewer than a database could not plan. */
export const FILTERS_MAX = 50

const isFilters = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws AppErrors with what is wrong with each. */
const parseFilters = (filters: Readonly<Record<string, unknown>>, registry: Registry): readonly Filter[] => {
  const text = Object.entries(filters).map(
    ([name, value]) => `${encodeURIComponent(`filter[q][${name}]`)}=${encodeURIComponent(textOf(value))}`,
  )
  return parseListQuery(text.join('&'), registry.require('orders'), registry).filters
}

/** Values as in a query; a list with commas between its values. */
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return joinListValues(value.map(textOf))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const customRuleWorkflow: WriteWorkflow = {
  completesFrom: ['filters'],

  complete: async (after, _before, _request, { registry }) => {
    const filters = columnsOf('PromotionRule', after).filters ?? null
    if (!isFilters(filters)) return {}
    const violations = violationsOf(filters, registry)
    return violations.length === 0 ? {} : { violations }
  },
}

const at = { attribute: 'filters' }

const violationsOf = (
  filters: Readonly<Record<string, unknown>>,
  registry: Registry,
): readonly WriteViolation[] => {
  const count = Object.keys(filters).length
  if (count > FILTERS_MAX) {
    const message = `must have at most ${FILTERS_MAX} filters, and has ${count}`
    return [{ at, error: 'too_long', message, count: FILTERS_MAX }]
  }
  try {
    parseFilters(filters, registry)
    return []
  } catch (error) {
    if (!(error instanceof AppErrors)) throw error
    return error.errors.map(({ detail }: AppError) => ({
      at,
      error: 'invalid',
      message: detail ?? 'is invalid',
    }))
  }
}

/** Which of some rules the order meets, by their position. `order` and `lines` are as they will be. */
export const metCustomRules = async (
  rules: readonly unknown[],
  order: Row,
  lines: readonly Row[],
  { run, registry, scope }: Pick<WorkflowStep, 'run' | 'registry' | 'scope'>,
): Promise<readonly boolean[]> => {
  if (rules.length === 0) return []
  const { environmentId, organizationId, mode } = scope
  const params = createParams(environmentId)
  // A rule asks of all orders, not only of those that the writer sees.
  const build = { registry, scope: { environmentId, organizationId, mode }, params }
  const definition = registry.require('orders')
  const planned = params.add(JSON.stringify({ ...order, environment_id: environmentId }), 'jsonb')
  const plannedLines = params.add(
    JSON.stringify(lines.map((line) => withKeys(line, order, environmentId))),
    'jsonb',
  )
  const page = { number: 1, size: 1 }
  const conditions = rules.map((filters) => {
    const parsed = isFilters(filters) ? parseFilters(filters, registry) : []
    return `EXISTS (SELECT 1 ${matchingRows({ definition, filters: parsed, sorts: [], page }, build)})`
  })
  const [found] = await run<{ readonly met: readonly boolean[] }>({
    text: `WITH orders AS MATERIALIZED (SELECT * FROM jsonb_populate_record(NULL::public.orders, ${planned})),
      line_items AS MATERIALIZED (SELECT * FROM jsonb_populate_recordset(NULL::public.line_items, ${plannedLines}))
      SELECT ARRAY[${conditions.join(', ')}] AS met`,
    values: params.values,
  })
  return found?.met ?? []
}
