/** The records that a search found, page after page. */
import { formatCount, formatTime } from '../data/format.ts'
import { t } from '../language/text.ts'
import { Table } from '../parts/table.tsx'
import { RecordLink } from '../records/record-link.tsx'
import type { FoundRecord } from './ask.ts'
import { resourceOf, shortNameOf } from './catalogue.ts'
import type { Question } from './question.ts'

/** What a path leads to: every value of a list. The record's own members are not below its name. */
export const valuesAt = (record: unknown, path: readonly string[]): readonly unknown[] => {
  if (Array.isArray(record)) return record.flatMap((element) => valuesAt(element, path))
  const [name, ...rest] = path
  if (name === undefined) return record === undefined || record === null ? [] : [record]
  return typeof record === 'object' && record !== null
    ? valuesAt((record as Readonly<Record<string, unknown>>)[name], rest)
    : []
}

const pathIn = (of: string, path: string): readonly string[] => {
  const [entity = '', ...rest] = path.split('.')
  return entity === resourceOf(of).record ? rest : [entity, ...rest]
}

const format = (value: unknown, type: string): string => {
  if (type === 'datetime' && typeof value === 'string') return formatTime(value)
  if (typeof value === 'number' && type === 'float') return formatCount(value)
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export interface RecordsTableProps {
  readonly question: Question
  readonly records: readonly FoundRecord[]
}

export const RecordsTable = ({ question, records }: RecordsTableProps) => {
  const { of, fields } = question
  const { attributes, record } = resourceOf(of)
  return (
    <Table label={t('Records')} heads={fields.map((path) => shortNameOf(path, record))}>
      {records.map((found) => (
        <tr key={found.id}>
          {fields.map((path, index) => {
            const type = attributes[path]?.type ?? 'text'
            const text = valuesAt(found, pathIn(of, path))
              .map((value) => format(value, type))
              .join(', ')
            const isNumber = type === 'float' || type === 'integer'
            const layout = type === 'datetime' ? 'whitespace-nowrap' : 'max-w-80 break-words'
            return (
              <td key={path} className={isNumber ? 'number' : layout}>
                {index === 0 ? (
                  <RecordLink type={resourceOf(of).subject} id={found.id}>
                    {text === '' ? found.id : text}
                  </RecordLink>
                ) : (
                  text
                )}
              </td>
            )
          })}
        </tr>
      ))}
    </Table>
  )
}
