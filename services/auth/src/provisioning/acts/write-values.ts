/** The values of a checked write document, typed as the caller needs them. Undefined: not sent. */
import type { Notes } from '../notes.ts'

export interface WriteValues {
  /** Null counts as not sent. */
  text(column: string): string | undefined
  textOrNull(column: string): string | null | undefined
  integerOrNull(column: string): number | null | undefined
  flag(column: string): boolean | undefined
  object(column: string): Readonly<Record<string, unknown>> | undefined
  /** Public id of what a to-one relationship is to lead to. */
  link(relationship: string): string | null | undefined
  /** Whether a trigger was pulled: `_disable`. */
  isTriggered(name: string): boolean
  readonly notes: Notes
}

export interface WrittenMembers {
  readonly columns: Readonly<Record<string, unknown>>
  readonly links: ReadonlyMap<string, string | null>
  readonly triggers: ReadonlySet<string>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Definitions have checked the types; this is the second look. */
const wrongType = (column: string): TypeError => new TypeError(`${column} has no value of its type`)

const notesOf = (values: Omit<WriteValues, 'notes'>): Notes => {
  const reference = values.textOrNull('reference')
  const referenceOrigin = values.textOrNull('reference_origin')
  const metadata = values.object('metadata')
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(referenceOrigin === undefined ? {} : { referenceOrigin }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

export const createWriteValues = ({ columns, links, triggers }: WrittenMembers): WriteValues => {
  const read = <T>(column: string, isType: (value: unknown) => value is T): T | null | undefined => {
    const value = columns[column]
    if (value === undefined || value === null || isType(value)) return value
    throw wrongType(column)
  }
  const isText = (value: unknown): value is string => typeof value === 'string'
  const isNumber = (value: unknown): value is number => typeof value === 'number'
  const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
  const values: Omit<WriteValues, 'notes'> = {
    text: (column) => read(column, isText) ?? undefined,
    textOrNull: (column) => read(column, isText),
    integerOrNull: (column) => read(column, isNumber),
    flag: (column) => read(column, isFlag) ?? undefined,
    object: (column) => {
      const value = read(column, isObject)
      return value === null ? {} : value
    },
    link: (relationship) => links.get(relationship),
    isTriggered: (name) => triggers.has(name),
  }
  return { ...values, notes: notesOf(values) }
}

/** Without the members that are undefined: what was not sent is not changed. */
export const onlySent = <T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** Both triggers of a switch at once say nothing. */
export const switchViolations = (values: WriteValues): Readonly<Record<string, string | undefined>> => ({
  _enable:
    values.isTriggered('_enable') && values.isTriggered('_disable')
      ? 'cannot be sent together with _disable'
      : undefined,
})
