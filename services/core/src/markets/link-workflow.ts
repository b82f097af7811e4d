/** Writes of links: the item is there, and the scope is one that a token can be asked for with. */
import { parseScope } from '@merx/access-token/parse-scope'
import type { ScopeReference } from '@merx/access-token/parse-scope'
import { AppError } from '@merx/errors/app-error'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import { lockRecord } from '../engine/write/of-record.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'

const TABLES = { market: 'markets', store: 'stores', stock_location: 'stock_locations' } as const

const invalid = (error: string, message: string, value: unknown): readonly WriteViolation[] => [
  { at: { attribute: 'scope' }, error, message, value },
]

/** By the grammar of the token endpoint alone. */
const referencesOf = (scope: string): readonly ScopeReference[] | AppError => {
  try {
    return parseScope(scope).references
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

const isThere = async (
  { type, by, value }: ScopeReference,
  { run, registry, scope }: WorkflowStep,
): Promise<boolean> => {
  const table = TABLES[type]
  const named = by === 'id' ? registry.ids.decode(table, value) : value
  if (named === undefined) return false
  const text = `SELECT 1 FROM ${table} WHERE environment_id = $1 AND ${by} = $2`
  return (await run({ text, values: [scope.environmentId, named] })).length > 0
}

const scopeViolations = async (scope: string, step: WorkflowStep): Promise<readonly WriteViolation[]> => {
  const references = referencesOf(scope)
  if (references instanceof AppError)
    return invalid('invalid', `is not a scope of tokens: ${references.detail ?? references.message}`, scope)
  for (const reference of references) {
    const { type, by, value } = reference
    if (!(await isThere(reference, step)))
      return invalid(
        'not_found',
        `names no ${type} of the shop: there is none with the ${by} ${value}`,
        scope,
      )
  }
  return []
}

/** That an `item_type` which was sent agrees with the item. */
const typeViolations = (sent: unknown, type: unknown): readonly WriteViolation[] =>
  sent === undefined || sent === type
    ? []
    : [
        {
          at: { attribute: 'item_type' },
          error: 'invalid',
          message: `must be ${String(type)}, the type of the item, or left out`,
          value: sent,
        },
      ]

export const linkWorkflow: WriteWorkflow = {
  completesFrom: ['item', 'item_type', 'scope'],

  complete: async (after, before, { attributes }, step) => {
    const item = await lockRecord('item', after, before, step)
    const { scope = '', item_type: type } = columnsOf('Link', after)
    const isNewScope = columnsOf('Link', before ?? {}).scope !== scope
    return {
      violations: [
        ...(item.violations ?? []),
        ...typeViolations(attributes.get('item_type'), type),
        ...(isNewScope ? await scopeViolations(scope, step) : []),
      ],
    }
  },
}
