/** Reads a record to change it, and creates, changes and deletes records of any type. */
import { Refused } from '../data/answers.ts'
import { askCore, askCoreTagged } from '../data/api.ts'
import { t } from '../language/text.ts'
import { toText, type FormValues, type Link } from './form-values.ts'
import { fieldsAt, relationshipsAt, type WriteOperation } from './forms.ts'
import { addressOf } from './read-records.ts'
import { nameOf, pathOf, type CoreRecord } from './types.ts'

interface Identifier {
  readonly type: string
  readonly id: string
}

interface RecordDocument {
  readonly data: CoreRecord
  readonly included?: readonly CoreRecord[]
}

export interface EditedRecord {
  readonly record: CoreRecord
  readonly values: FormValues
  readonly tag: string | undefined
}

const identifiersOf = (record: CoreRecord, name: string): readonly Identifier[] => {
  const { data } = (record.relationships?.[name] ?? {}) as {
    data?: Identifier | readonly Identifier[] | null
  }
  if (data === null || data === undefined) return []
  return Array.isArray(data) ? (data as readonly Identifier[]) : [data as Identifier]
}

const linksOf = ({ data, included = [] }: RecordDocument, name: string): readonly Link[] =>
  identifiersOf(data, name).map(({ type, id }) => {
    const found = included.find((each) => each.type === type && each.id === id)
    return { type, id, name: found === undefined ? id : nameOf(type, found) }
  })

/** Empty, with what core would take anyway. */
export const newValues = (type: string): FormValues => ({
  ...Object.fromEntries(
    fieldsAt(type, 'create').map(([name, field]) => [name, toText(field.kind, field.default)]),
  ),
  ...Object.fromEntries(relationshipsAt(type, 'create').map(([name]) => [name, []])),
})

/** @throws Refused */
export const readToEdit = async (type: string, id: string): Promise<EditedRecord> => {
  const relationships = relationshipsAt(type, 'update')
  const includes = relationships.filter(([, { isIncludable }]) => isIncludable === true).map(([name]) => name)
  const query =
    includes.length === 0 ? '' : `?${new URLSearchParams({ include: includes.join(',') }).toString()}`
  const { document, tag } = await askCoreTagged<RecordDocument>(`${addressOf(type, id)}${query}`)
  const { attributes } = document.data
  const values = {
    ...Object.fromEntries(
      fieldsAt(type, 'update').map(([name, { kind }]) => [name, toText(kind, attributes[name])]),
    ),
    ...Object.fromEntries(relationships.map(([name]) => [name, linksOf(document, name)])),
  }
  return { record: document.data, values, tag }
}

export interface Written {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, { readonly data: unknown }>>
}

const bodyOf = (type: string, { attributes, relationships }: Written, id?: string) => ({
  data: {
    type,
    ...(id === undefined ? {} : { id }),
    attributes,
    ...(Object.keys(relationships).length === 0 ? {} : { relationships }),
  },
})

const CHANGED_MEANWHILE = 412

/** Core's words are about a header, which nobody here has seen. */
const plainly = (error: unknown): never => {
  if (error instanceof Refused && error.status === CHANGED_MEANWHILE) {
    const detail = t('Somebody else changed this record meanwhile. Load it again; what you typed is kept.')
    throw new Refused(error.status, [{ title: t('Changed meanwhile'), detail }])
  }
  throw error
}

/** @throws Refused */
export const writeRecord = async (
  type: string,
  operation: WriteOperation,
  written: Written,
  { id, tag }: { readonly id?: string | undefined; readonly tag?: string | undefined },
): Promise<CoreRecord> => {
  const { data } =
    operation === 'create' || id === undefined
      ? await askCore<RecordDocument>(pathOf(type), { method: 'POST', body: bodyOf(type, written) })
      : await askCore<RecordDocument>(addressOf(type, id), {
          ...{ method: 'PATCH', body: bodyOf(type, written, id), ifMatch: tag },
        }).catch(plainly)
  return data
}

/** @throws Refused */
export const removeRecord = (type: string, id: string): Promise<unknown> =>
  askCore(addressOf(type, id), { method: 'DELETE' })

/** @throws Refused */
export const startRecordTrigger = (
  type: string,
  id: string,
  trigger: string,
  value: unknown = true,
): Promise<CoreRecord> =>
  writeRecord(type, 'update', { attributes: { [trigger]: value }, relationships: {} }, { id })
