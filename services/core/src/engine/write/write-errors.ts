/**
 * Maps errors of PostgreSQL in a write to errors of the catalogue. Constraints are named <table>_<column>_check, _key and _fkey
 * (services/core/migrations); most violations are found before, this is for what two writers do at the same moment.
 */
import { AppError, AppErrors } from '@merx/errors/app-error'
import { columnOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import { codeOf } from '../database/store-errors.ts'

const SQLSTATE = {
  notNull: '23502',
  foreignKey: '23503',
  unique: '23505',
  check: '23514',
  numberOutOfRange: '22003',
  deadlock: '40P01',
  serialization: '40001',
} as const

/** Whether a write was refused because of what it would store, not because the database could not run it. */
export const isRefusal = (error: unknown): boolean => {
  if (error instanceof AppError) return error.code !== 'service_unavailable'
  return error instanceof AppErrors || /^2[23]/.test(codeOf(error) ?? '')
}

/** Anything else as it is. */
export const toWriteError = (error: unknown, definition: ResourceDefinition): unknown => {
  switch (codeOf(error)) {
    case SQLSTATE.unique: {
      const names = keyNames(error)
      const detail = `another of the ${definition.type} has the same ${names.join(' and ') || 'key'}`
      return new AppError('record_not_unique', { detail, cause: error })
    }
    case SQLSTATE.foreignKey:
      return toValidationError({ error: 'noent', message: "refers to a resource that doesn't exist" })
    case SQLSTATE.notNull:
      return toValidationError({
        ...at(fieldOf(error, 'column'), definition),
        error: 'blank',
        message: "can't be blank",
      })
    case SQLSTATE.check:
      return toValidationError({
        ...at(checkedColumn(error, definition), definition),
        error: 'invalid',
        message: 'is invalid',
      })
    case SQLSTATE.numberOutOfRange:
      return toValidationError({ error: 'invalid', message: 'holds a number that is out of range' })
    case SQLSTATE.deadlock:
    case SQLSTATE.serialization:
      return new AppError('service_unavailable', {
        detail: 'Another write came first; try again.',
        cause: error,
      })
    default:
      return error
  }
}

/** What validation says of a unique value that another row has. */
export const takenViolation = (name: string, value: unknown): WriteViolation => ({
  at: { attribute: name },
  error: 'taken',
  message: 'has already been taken',
  value,
})

/** The same when it was the database that found it: the one unique value that was written. Anything else as it is. */
export const toTakenError = (
  error: unknown,
  definition: ResourceDefinition,
  columns: Readonly<Record<string, unknown>>,
): unknown => {
  if (codeOf(error) !== SQLSTATE.unique) return error
  const [name = '', ...more] = keyNames(error)
  const attribute = definition.attributes[name]
  if (attribute?.unique !== true || more.length > 0) return error
  return toValidationError(takenViolation(name, columns[columnOf(name, attribute)]))
}

/** 423 when the database still has rows that refer to the one being deleted. */
export const toDeleteError = (error: unknown): unknown => {
  if (codeOf(error) !== SQLSTATE.foreignKey) return error
  const table = fieldOf(error, 'table')
  return new AppError('locked', {
    detail: `Cannot be deleted because dependent ${table === '' ? 'resources' : table} exist`,
    cause: error,
  })
}

const at = (column: string, definition: ResourceDefinition): Pick<WriteViolation, 'at'> => {
  const attribute = Object.entries(definition.attributes).find(
    ([name, declared]) => columnOf(name, declared) === column,
  )
  if (attribute !== undefined) return { at: { attribute: attribute[0] } }
  const relationship = column.replace(/_id$/, '')
  return relationship in definition.relationships ? { at: { relationship } } : {}
}

const checkedColumn = (error: unknown, { table }: ResourceDefinition): string =>
  fieldOf(error, 'constraint')
    .replace(/_check$/, '')
    .replace(`${table}_`, '')

/** `Key (environment_id, code)=(1, a) already exists.` → code; the values stay out of the answer. */
const keyNames = (error: unknown): readonly string[] => {
  const list = /^Key \((.*?)\)=/.exec(fieldOf(error, 'detail'))?.[1] ?? ''
  return list
    .split(', ')
    .map((name) => name.replaceAll(/lower\(|::text|\)|"/g, '').replace(/_id$/, ''))
    .filter((name) => name !== '' && name !== 'environment')
}

const fieldOf = (error: unknown, name: 'column' | 'constraint' | 'table' | 'detail'): string => {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined
  return typeof value === 'string' ? value : ''
}
