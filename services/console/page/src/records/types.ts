/** What is known of each type, from core's definitions (services/core/gen/console-types.ts). */
import { Refused } from '../data/answers.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import types from './types.json' with { type: 'json' }

export interface RecordType {
  /** Below `/api`, when it is not the name of the type. */
  readonly path?: string
  /** There is one of it, which has no list. */
  readonly isSingleton?: boolean
  /** `list`, `retrieve`, or nothing. */
  readonly reads: readonly string[]
  /** Name → kind of value, such as `text` or `instant`. */
  readonly attributes: Readonly<Record<string, string>>
  /** Attributes that a record shows only when it is asked for alone. */
  readonly alone: readonly string[]
  /** By what people know a record, the best first; all can be searched. */
  readonly naming: readonly string[]
  /** Name → `one` or `many`. */
  readonly relationships: Readonly<Record<string, string>>
}

const all: Readonly<Record<string, RecordType>> = types

/** Those that have a list, or of which there is one. */
export const typeNames: readonly string[] = Object.keys(all).filter(
  (name) => all[name]?.isSingleton === true || all[name]?.reads.includes('list') === true,
)

export const isRetrievable = (name: string): boolean =>
  Object.hasOwn(all, name) && all[name]?.reads.includes('retrieve') === true

/** @throws Refused for a name in the address that is no type */
export const recordType = (name: string): RecordType => {
  const type = Object.hasOwn(all, name) ? all[name] : undefined
  if (type === undefined)
    throw new Refused(404, [
      {
        title: t('Not found'),
        detail: t('There is no type {name}. /console/records lists all.', { name }),
      },
    ])
  return type
}

export const pathOf = (name: string): string => recordType(name).path ?? name

const COLUMNS_MAX = 6
const LAST = ['reference', 'reference_origin', 'metadata', 'created_at', 'updated_at']
/** Kinds whose values are short. */
const SHORT = new Set(['text', 'oneOf', 'integer', 'float', 'boolean', 'instant', 'cents'])

/** Long texts make rows that nobody can compare. */
const isLong = (name: string): boolean => name.endsWith('_url') || name === 'description'

/** The columns of a list after the record's name: other names, then what the definition has first, and when it changed. */
export const columnsOf = ({ attributes, alone, naming }: RecordType): readonly string[] => {
  const others = Object.keys(attributes).filter(
    (name) =>
      SHORT.has(attributes[name] ?? '') && !isLong(name) && ![...naming, ...alone, ...LAST].includes(name),
  )
  const names = naming.slice(1).filter((name) => name !== 'reference')
  return [...[...names, ...others].slice(0, COLUMNS_MAX - 1), 'updated_at']
}

/** `sku_lists` → `SKU lists`. */
export const titleOf = (name: string): string => labelOf(name).replace(/^Sku(s?)\b/, 'SKU$1')

/** What a record is called: its number, code, name, or else its id. */
export const nameOf = (type: string, { id, attributes }: CoreRecord): string => {
  for (const name of recordType(type).naming) {
    const value = attributes[name]
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return String(value)
  }
  return id
}

/** A resource of core, as JSON:API has it. */
export interface CoreRecord {
  readonly id: string
  readonly type: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, unknown>>
}
