/** The changed values of a form as what core is sent, or what is wrong with each. */
import { parseField, toLinkage, type FormValues } from './form-values.ts'
import { formOf } from './forms.ts'
import type { Written } from './write-records.ts'

export interface Collected extends Written {
  /** Name of a field → why its value cannot be sent. */
  readonly problems: Readonly<Record<string, string>>
}

const isSame = (one: FormValues[string] | undefined, other: FormValues[string] | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** What differs from what was there. */
export const changedValues = (values: FormValues, before: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, before[name])))

/**
 * @param before as it was read; at creation what core takes by itself, so that it is not sent
 */
export const collectValues = (type: string, values: FormValues, before: FormValues): Collected => {
  const { fields, relationships } = formOf(type)
  const changed = Object.entries(changedValues(values, before))
  const attributes: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  const linkages: Record<string, { data: unknown }> = {}
  for (const [name, value] of changed) {
    const field = fields[name]
    const relationship = relationships[name]
    if (field !== undefined && typeof value === 'string') {
      const parsed = parseField(field, value)
      if ('problem' in parsed) problems[name] = parsed.problem
      else attributes[name] = parsed.value
    }
    if (relationship !== undefined && typeof value !== 'string')
      linkages[name] = { data: toLinkage(value, relationship.isMany === true) }
  }
  return { attributes, relationships: linkages, problems }
}
