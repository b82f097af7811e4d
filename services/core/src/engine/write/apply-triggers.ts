/** Trigger attributes of a write → the columns their actions change. Pure. */
import type { Attribute, Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { ColumnValues } from '../sql/column-values.ts'

/** Triggers that say nothing when both are sent. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['_enable', '_disable'],
  ['_unarchive', '_archive'],
])

/** In the order of the definition, whatever the order of the request. */
export const triggerColumns = (
  triggers: ReadonlyMap<string, unknown>,
  definition: ResourceDefinition,
  row: Row,
  now: Date,
): { readonly columns: ColumnValues; readonly violations: readonly WriteViolation[] } => {
  const columns: Record<string, unknown> = {}
  const violations: WriteViolation[] = []
  if (triggers.size === 0) return { columns, violations }
  for (const [name, attribute] of Object.entries(definition.attributes)) {
    if (attribute.kind !== 'trigger' || !triggers.has(name)) continue
    const value = triggers.get(name)
    const action = definition.actions[attribute.action ?? name.slice(1)]
    const problem = problemOf(value, attribute.carries ?? 'boolean')
    const company = companyProblem(name, attribute, triggers)
    if (company !== undefined)
      violations.push({ at: { attribute: name }, error: 'invalid', message: company })
    else if (problem !== undefined)
      violations.push({ at: { attribute: name }, error: 'invalid', message: problem, value })
    else if (action !== undefined) Object.assign(columns, action({ ...row, ...columns }, { now, value }))
  }
  return { columns, violations }
}

/** What is wrong with the triggers that were sent, or not sent, with this one. */
const companyProblem = (
  name: string,
  { argumentOf }: Attribute,
  triggers: ReadonlyMap<string, unknown>,
): string | undefined => {
  const opposite = OPPOSITES.get(name)
  if (opposite !== undefined && triggers.has(opposite)) return `cannot be sent together with ${opposite}`
  const isAlone = argumentOf !== undefined && !triggers.has(argumentOf)
  return isAlone ? `is for ${argumentOf}; send both in one request` : undefined
}

const problemOf = (value: unknown, carries: 'boolean' | 'text' | 'integer'): string | undefined => {
  switch (carries) {
    case 'boolean':
      return value === true ? undefined : 'must be true or false'
    case 'text':
      return typeof value === 'string' ? undefined : 'must be a string'
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : 'must be an integer'
  }
}
