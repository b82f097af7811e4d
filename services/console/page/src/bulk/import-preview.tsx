/** What a file holds, and what is wrong with it as far as the page knows. */
import { formatCount } from '../data/format.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { saveCsv } from '../parts/csv.ts'
import { Table } from '../parts/table.tsx'
import type { CellProblem, CheckedCsv, ColumnUse } from './check-csv.ts'
import { PROBLEM_COLUMN } from './read-csv.ts'

const ROWS_SHOWN = 20
const PROBLEMS_SHOWN = 50

interface ImportPreviewProps {
  readonly type: string
  readonly checked: CheckedCsv
  /** Whether too many refused records stop the import. */
  readonly stops: boolean
}

const wordsOf = (use: ColumnUse): string => {
  if (use.kind === 'refused') return use.problem
  return use.kind === 'left out' ? t('read-only, left out') : ''
}

const Rows = ({ names, rows, uses, problems }: CheckedCsv) => {
  const bad = new Set(problems.map(({ row, column }) => `${row} ${column}`))
  return (
    <div className="card overflow-x-auto p-0" tabIndex={0} role="region" aria-label={t('Preview')}>
      <table className="cells w-full border-collapse">
        <thead>
          <tr>
            <th scope="col" className="number">
              {t('Row')}
            </th>
            {names.map((name, at) => (
              <th key={name} scope="col">
                <span className="block">{name}</span>
                <span className={`font-normal ${uses[at]?.kind === 'refused' ? 'text-bad' : ''}`}>
                  {wordsOf(uses[at] ?? { kind: 'written' })}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_SHOWN).map((row, index) => (
            // Lines of a file have no other name.
            <tr key={index}>
              <td className="number">{formatCount(index + 1)}</td>
              {names.map((name, at) => (
                <td
                  key={name}
                  className={`max-w-60 truncate ${bad.has(`${index + 1} ${name}`) ? 'bg-bad-ground text-bad' : ''} ${uses[at]?.kind === 'written' ? '' : 'text-soft'}`}
                >
                  {row[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whole rows, to correct them and import that file. */
const saveRows = (
  type: string,
  { names, rows }: CheckedCsv,
  byRow: ReadonlyMap<number, readonly CellProblem[]>,
) =>
  saveCsv(
    [
      [...names, PROBLEM_COLUMN],
      ...[...byRow].map(([row, problems]) => [
        ...(rows[row - 1] ?? []),
        problems.map(({ column, problem }) => `${column} ${problem}`).join('; '),
      ]),
    ],
    `${type}-to-correct.csv`,
  )

/** Core stops an import there, unless it is told to go on. */
const REFUSED_SHARE_MAX = 0.1

const CellProblems = ({ type, checked, stops }: ImportPreviewProps) => {
  const { problems, rows } = checked
  const byRow = Map.groupBy(problems, ({ row }) => row)
  return problems.length === 0 ? null : (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-bad">
          {t('{count, plural, one {# record would be refused} other {# records would be refused}}', {
            count: byRow.size,
          })}
        </p>
        <button type="button" className="button" onClick={() => saveRows(type, checked, byRow)}>
          {t('Download these rows')}
        </button>
      </div>
      {stops && byRow.size > rows.length * REFUSED_SHARE_MAX ? (
        <p className="text-warn">
          {t(
            'That is more than a tenth of all: the import would stop there, and keep what was written before.',
          )}
        </p>
      ) : null}
      <Table label={t('Problems')} heads={[t('Row'), t('Column'), t('Value'), t('Problem')]}>
        {problems.slice(0, PROBLEMS_SHOWN).map(({ row, column, value, problem }) => (
          <tr key={`${row} ${column}`}>
            <td>{formatCount(row)}</td>
            <td>{column}</td>
            <td className="max-w-60 truncate">{value}</td>
            <td>{problem}</td>
          </tr>
        ))}
      </Table>
      {problems.length > PROBLEMS_SHOWN ? (
        <p className="text-soft">
          {t('The first {shown} of {all}; the file has all of them.', {
            ...{ shown: PROBLEMS_SHOWN, all: formatCount(problems.length) },
          })}
        </p>
      ) : null}
    </section>
  )
}

export const ImportPreview = (props: ImportPreviewProps) => {
  const { rows, missing, uses } = props.checked
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        {t(
          '{count, plural, one {# record} other {# records}} checked: names of columns and forms of values. Nothing is written yet; whether a code exists and what the shop allows is known when the import runs.',
          { count: rows.length },
        )}
      </p>
      {uses.some(({ kind }) => kind === 'refused') ? (
        <p role="alert" className="text-bad">
          {t('Columns that core does not know would refuse every record. Rename or remove them.')}
        </p>
      ) : null}
      {missing.length === 0 ? null : (
        <p className="text-warn">
          {t('New records need more than the file has: {names}. Records that are there already do not.', {
            names: missing.map(labelOf).join(', '),
          })}
        </p>
      )}
      <CellProblems {...props} />
      <Rows {...props.checked} />
      {rows.length > ROWS_SHOWN ? (
        <p className="text-soft">
          {t('The first {shown} of {all}', { shown: ROWS_SHOWN, all: formatCount(rows.length) })}
        </p>
      ) : null}
    </div>
  )
}
