/** What can be imported and exported, from core's definitions (services/core/gen/console-bulk.ts). */
import types from './bulk-types.json' with { type: 'json' }

export interface ImportType {
  /** Sets of columns that tell an existing record. */
  readonly keys: readonly (readonly string[])[]
  /** A relationship that can be given once for all rows, and its type. */
  readonly parent?: string
  readonly parentType?: string
  /** An attribute that names the target of a relationship by its code. */
  readonly code?: string
  readonly coded?: string
  /** Names besides those of the form. */
  readonly also: readonly string[]
  /** Relationship → attributes that name its target: `price_list.code`. */
  readonly named: Readonly<Record<string, readonly string[]>>
}

const imports: Readonly<Record<string, ImportType>> = types.imports
const exports: Readonly<Record<string, Readonly<Record<string, string>>>> = types.exports

export const { inputsMax: INPUTS_MAX, recordsMax: RECORDS_MAX } = types

export const importTypes: readonly string[] = Object.keys(imports)
export const exportTypes: readonly string[] = Object.keys(exports)

/** @param type one of `importTypes` */
export const importType = (type: string): ImportType => {
  const found = Object.hasOwn(imports, type) ? imports[type] : undefined
  if (found === undefined) throw new Error(`${type} cannot be imported`)
  return found
}

/** What an export can be narrowed by: name → kind of value. */
export const filtersOf = (type: string): Readonly<Record<string, string>> =>
  (Object.hasOwn(exports, type) ? exports[type] : undefined) ?? {}
