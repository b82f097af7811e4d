/** What can be written of each type, from core's definitions (services/core/gen/console-forms.ts). */
import forms from './forms.json' with { type: 'json' }

export type WriteOperation = 'create' | 'update'

export interface FormField {
  readonly kind: string
  /** When it can be sent, if not at every write. */
  readonly write?: string
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
  /** Of `oneOf`: which list of values. */
  readonly values?: number
  /** Never shown again, so never kept in the browser. */
  readonly isSecret?: boolean
  readonly default?: unknown
}

export interface FormRelationship {
  readonly targets: readonly string[]
  readonly write?: string
  readonly required?: boolean
  readonly isMany?: boolean
  readonly isIncludable?: boolean
}

export interface RecordForm {
  readonly operations: readonly string[]
  readonly fields: Readonly<Record<string, FormField>>
  readonly relationships: Readonly<Record<string, FormRelationship>>
  /** Triggers without conditions of a state machine → what they carry: `boolean`, `text` or `integer`. */
  readonly triggers: Readonly<Record<string, string>>
}

const all: Readonly<Record<string, RecordForm>> = forms.types

const NOTHING: RecordForm = { operations: [], fields: {}, relationships: {}, triggers: {} }

export const formOf = (type: string): RecordForm =>
  (Object.hasOwn(all, type) ? all[type] : undefined) ?? NOTHING

export const valuesOf = ({ values }: FormField): readonly string[] =>
  values === undefined ? [] : (forms.values[values] ?? [])

const isSentAt = (operation: WriteOperation, { write }: { readonly write?: string }): boolean =>
  write === undefined || write === operation

export const fieldsAt = (
  type: string,
  operation: WriteOperation,
): readonly (readonly [string, FormField])[] =>
  Object.entries(formOf(type).fields).filter(([, field]) => isSentAt(operation, field))

export const relationshipsAt = (
  type: string,
  operation: WriteOperation,
): readonly (readonly [string, FormRelationship])[] =>
  Object.entries(formOf(type).relationships).filter(([, relationship]) => isSentAt(operation, relationship))
