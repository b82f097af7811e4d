/** The numbers of an answer as a table: with bars beside them they are its chart. Choosing a group asks about it alone. */
import { useState } from 'react'
import { formatChange } from '../data/format.ts'
import { t } from '../language/text.ts'
import { resourceOf, shortNameOf } from './catalogue.ts'
import { formatKey, formatSplit, formatterOf, operatorName } from './format-value.ts'
import type { Question } from './question.ts'
import { membersIn, splitsOf, type Row } from './result.ts'
import { colourOf, SERIES_MAX } from './series.ts'

const SHOWN = 100

export interface ResultTableProps {
  readonly question: Question
  readonly title: string
  readonly rows: readonly Row[]
  readonly bars: 'none' | 'plain' | 'stacked'
  readonly onChoose?: ((key: string) => void) | undefined
}

const share = (value: number | null | undefined, max: number): string =>
  `${max === 0 ? 0 : (Math.max(value ?? 0, 0) / max) * 100}%`

interface BarProps {
  readonly row: Row
  readonly splits: readonly string[]
  readonly isStacked: boolean
  readonly max: number
}

const BarCell = ({ row, splits, isStacked, max }: BarProps) => (
  <td aria-hidden="true" className="w-1/2 min-w-16">
    <span className="flex h-4">
      {isStacked ? (
        splits
          .slice(0, SERIES_MAX)
          .map((label, index) => (
            <span
              key={label}
              style={{ width: share(row.parts[label], max), background: `var(${colourOf(index)})` }}
            />
          ))
      ) : (
        <span
          className="rounded-e-sm"
          style={{ width: share(row.value, max), background: `var(${colourOf(0)})` }}
        />
      )}
    </span>
    {row.before === undefined ? null : (
      <span className="mt-0.5 block h-1 rounded-e-sm bg-soft" style={{ width: share(row.before, max) }} />
    )}
  </td>
)

const widest = (rows: readonly Row[], isStacked: boolean): number =>
  Math.max(
    0,
    ...rows.flatMap(({ value, before, parts }) => [
      isStacked
        ? Object.values(parts).reduce<number>((sum, part) => sum + Math.max(part ?? 0, 0), 0)
        : (value ?? 0),
      before ?? 0,
    ]),
  )

interface Columns {
  readonly members: readonly string[]
  readonly splits: readonly string[]
  readonly isCompared: boolean
}

const columnsOf = (rows: readonly Row[]): Columns => ({
  members: membersIn(rows),
  splits: splitsOf(rows),
  isCompared: rows.some(({ before }) => before !== undefined),
})

type HeadProps = Columns & Pick<ResultTableProps, 'question' | 'bars'>

const Head = ({ question, bars, members, splits, isCompared }: HeadProps) => {
  const shownMembers = members.filter((name) => name !== question.member)
  return (
    <tr>
      {question.kind === 'stats' ? null : (
        <th scope="col">{shortNameOf(question.by, resourceOf(question.of).record)}</th>
      )}
      {bars === 'none' ? null : <td className="border-0!" />}
      <th scope="col" className="number">
        {operatorName(question.member === '' ? question.operator : question.member)}
      </th>
      {shownMembers.map((name) => (
        <th key={name} scope="col" className="number">
          {operatorName(name)}
        </th>
      ))}
      {isCompared ? (
        <>
          <th scope="col" className="number">
            {t('Period before')}
          </th>
          <th scope="col" className="number">
            {t('Difference')}
          </th>
        </>
      ) : null}
      {splits.map((label, index) => (
        <th key={label} scope="col" className="number whitespace-nowrap">
          {bars === 'stacked' && index < SERIES_MAX ? (
            <span
              aria-hidden="true"
              className="me-1.5 inline-block h-3 w-3 rounded-sm align-middle"
              style={{ background: `var(${colourOf(index)})` }}
            />
          ) : null}
          {formatSplit(question, label)}
        </th>
      ))}
    </tr>
  )
}

const KeyCell = ({
  question,
  row,
  onChoose,
}: { readonly row: Row } & Omit<ResultTableProps, 'rows' | 'bars' | 'title'>) => {
  const text = formatKey(question, row.key)
  return (
    <th scope="row" className="text-start text-base min-w-28 font-normal wrap-anywhere text-text">
      {onChoose === undefined ? (
        text
      ) : (
        <button
          type="button"
          className="text-start underline decoration-line underline-offset-4 hover:decoration-text"
          aria-label={t('Only {name}', { name: text })}
          onClick={() => onChoose(row.key)}
        >
          {text}
        </button>
      )}
    </th>
  )
}

export const ResultTable = ({ question, title, rows, bars, onChoose }: ResultTableProps) => {
  const [isAll, setAll] = useState(false)
  const columns = columnsOf(rows)
  const { members, splits, isCompared } = columns
  const format = formatterOf(question)
  const max = widest(rows, bars === 'stacked')
  const shown = isAll ? rows : rows.slice(0, SHOWN)
  return (
    <div className="flex flex-col gap-3">
      <div
        className="overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label={t('Numbers of {title}', { title })}
      >
        <table className="cells w-full border-collapse">
          <thead>
            <Head question={question} bars={bars} {...columns} />
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.key} className="border-t border-line">
                {question.kind === 'stats' ? null : (
                  <KeyCell question={question} row={row} onChoose={onChoose} />
                )}
                {bars === 'none' ? null : (
                  <BarCell row={row} splits={splits} isStacked={bars === 'stacked'} max={max} />
                )}
                <td className="number">{format(row.value)}</td>
                {members
                  .filter((name) => name !== question.member)
                  .map((name) => (
                    <td key={name} className="number">
                      {formatterOf({ ...question, member: name })(row.members[name])}
                    </td>
                  ))}
                {isCompared ? (
                  <>
                    <td className="number">{format(row.before)}</td>
                    <td className="number text-soft">
                      {formatChange(row.value ?? 0, row.before ?? 0) ?? '–'}
                    </td>
                  </>
                ) : null}
                {splits.map((label) => (
                  <td key={label} className="number">
                    {format(row.parts[label])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown.length ? (
        <button type="button" className="button self-start" onClick={() => setAll(true)}>
          {t('Show all {count} rows', { count: rows.length })}
        </button>
      ) : null}
    </div>
  )
}
