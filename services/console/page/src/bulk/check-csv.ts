/**
 * Checks of an import before it is sent: core has no dry run. They are of names and forms of values, from the definitions;
 * whether a code exists and a rule holds, core says when the import runs.
 */
import { t } from '../language/text.ts'
import { formOf, valuesOf, type FormField } from '../records/forms.ts'
import { recordType } from '../records/types.ts'
import { importType, type ImportType } from './bulk-types.ts'
import type { CsvFile } from './read-csv.ts'

export type ColumnUse =
  | { readonly kind: 'written'; readonly field?: FormField }
  /** Read-only, as in an exported file. */
  | { readonly kind: 'left out' }
  | { readonly kind: 'refused'; readonly problem: string }

export interface CellProblem {
  /** From 1, without the line of names. */
  readonly row: number
  readonly column: string
  readonly value: string
  readonly problem: string
}

export interface CheckedCsv extends CsvFile {
  readonly uses: readonly ColumnUse[]
  readonly problems: readonly CellProblem[]
  /** What a new record needs and the file does not have. */
  readonly missing: readonly string[]
}

const WRITTEN: ColumnUse = { kind: 'written' }
const LEFT_OUT: ColumnUse = { kind: 'left out' }

const refused = (problem: string): ColumnUse => ({ kind: 'refused', problem })

const relationshipUse = (type: string, name: string, { named }: ImportType): ColumnUse => {
  const { relationships } = recordType(type)
  const unknown = refused(t('is no attribute or relationship of {type}', { type }))
  if (Object.hasOwn(relationships, name)) return LEFT_OUT
  const [, relationship = '', suffix = ''] = /^(\w+?)(_ids?|_type|\.\w+)$/.exec(name) ?? []
  if (!Object.hasOwn(relationships, relationship)) return unknown
  if (!Object.hasOwn(formOf(type).relationships, relationship)) return LEFT_OUT
  if (!suffix.startsWith('.') || suffix === '.id') return WRITTEN
  const allowed = named[relationship] ?? []
  return allowed.includes(suffix.slice(1))
    ? WRITTEN
    : refused(
        t('does not tell one record from another; use {names}', {
          names: ['id', ...allowed].map((attribute) => `${relationship}.${attribute}`).join(', '),
        }),
      )
}

/** `amount_float` and `formatted_amount` follow from `amount_cents`. */
const isCompanion = (name: string, attributes: Readonly<Record<string, string>>): boolean => {
  const [, formatted, float] = /^(?:formatted_(\w+)|(\w+)_float)$/.exec(name) ?? []
  return attributes[`${formatted ?? float ?? ''}_cents`] === 'cents'
}

export const useOfColumn = (type: string, name: string): ColumnUse => {
  const found = importType(type)
  const { fields } = formOf(type)
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field !== undefined) return { kind: 'written', field }
  if (name === 'id' || name === 'type' || found.also.includes(name)) return WRITTEN
  const { attributes } = recordType(type)
  if (Object.hasOwn(attributes, name) || isCompanion(name, attributes)) return LEFT_OUT
  return relationshipUse(type, name, found)
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const BOOLEANS = new Set(['true', 't', '1', 'false', 'f', '0'])

const numberProblem = ({ kind, min, max }: FormField, cell: string): string | undefined => {
  if (!NUMBER.test(cell.trim())) return t('must be a number')
  const value = Number(cell)
  if (kind !== 'float' && !Number.isSafeInteger(value)) return t('must be a whole number')
  if (min !== undefined && value < min) return t('must be at least {min}', { min })
  return max !== undefined && value > max ? t('must be at most {max}', { max }) : undefined
}

const isJson = (cell: string): boolean => {
  try {
    JSON.parse(cell)
    return true
  } catch {
    return false
  }
}

/** An empty cell is none. */
export const problemOfCell = (field: FormField, cell: string): string | undefined => {
  if (cell === '') return undefined
  switch (field.kind) {
    case 'integer':
    case 'cents':
    case 'float':
      return numberProblem(field, cell)
    case 'boolean':
      return BOOLEANS.has(cell.trim().toLowerCase()) ? undefined : t('must be true or false')
    case 'oneOf':
      return valuesOf(field).includes(cell)
        ? undefined
        : t('must be one of {values}', { values: valuesOf(field).slice(0, 20).join(', ') })
    case 'instant':
      return Number.isNaN(Date.parse(cell)) ? t('must be a date and time') : undefined
    case 'object':
    case 'list':
      return isJson(cell) ? undefined : t('must be JSON')
    default:
      return field.max !== undefined && cell.length > field.max
        ? t('has more than {max} characters', { max: field.max })
        : undefined
  }
}

/** Attributes and relationships that a record needs when it is new. */
const missingOf = (type: string, names: readonly string[], hasParent: boolean): readonly string[] => {
  const { fields, relationships } = formOf(type)
  const { parent, code, coded } = importType(type)
  const isGiven = (relationship: string): boolean =>
    (hasParent && relationship === parent) ||
    (relationship === coded && code !== undefined && names.includes(code)) ||
    names.some((name) => name.startsWith(`${relationship}_`) || name.startsWith(`${relationship}.`))
  return [
    ...Object.entries(fields)
      .filter(([name, field]) => field.required === true && !names.includes(name))
      .map(([name]) => name),
    ...Object.entries(relationships)
      .filter(([name, { required = false }]) => required && !isGiven(name))
      .map(([name]) => name),
  ]
}

export const checkCsv = (type: string, file: CsvFile, hasParent: boolean): CheckedCsv => {
  const { names, rows } = file
  const uses = names.map((name) => useOfColumn(type, name))
  const problems = rows.flatMap((row, index) =>
    uses.flatMap((use, at): readonly CellProblem[] => {
      const cell = row[at] ?? ''
      const problem =
        use.kind === 'written' && use.field !== undefined ? problemOfCell(use.field, cell) : undefined
      return problem === undefined ? [] : [{ row: index + 1, column: names[at] ?? '', value: cell, problem }]
    }),
  )
  return { ...file, uses, problems, missing: missingOf(type, names, hasParent) }
}
