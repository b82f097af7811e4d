/** An answer as the question wants it shown: lines or bars over time, bars beside groups, or numbers only. */
import { formatChange } from '../data/format.ts'
import { t } from '../language/text.ts'
import { formatterOf } from './format-value.ts'
import { LineChart } from './line-chart.tsx'
import type { Question } from './question.ts'
import { ResultTable } from './result-table.tsx'
import { totalsOf, type Row } from './result.ts'
import { toSeries } from './series.ts'
import { TimeBars } from './time-bars.tsx'

export interface ResultChartProps {
  readonly question: Question
  readonly title: string
  readonly rows: readonly Row[]
  readonly onChoose?: ((key: string) => void) | undefined
  /** Of a tile: without the numbers beneath a chart. */
  readonly isSmall?: boolean
}

const SMALL = 160

const Change = ({
  now,
  before,
  format,
}: {
  readonly now: number
  readonly before: number
  readonly format: (value: number) => string
}) => (
  <span className="text-sm text-soft">
    {[formatChange(now, before), t('period before {value}', { value: format(before) })]
      .filter(Boolean)
      .join(' · ')}
  </span>
)

const Headline = ({ question, rows }: Pick<ResultChartProps, 'question' | 'rows'>) => {
  const format = formatterOf(question)
  const [only] = rows
  const totals =
    question.kind === 'stats' && only !== undefined
      ? { now: only.value, before: only.before }
      : totalsOf(question, rows)
  if (totals === undefined) return null
  const { now, before } = totals
  return (
    <p className="m-0 flex flex-wrap items-baseline gap-x-3">
      <strong className="text-2xl font-semibold tabular-nums">{format(now)}</strong>
      {before === undefined || before === null || now === null ? null : (
        <Change now={now} before={before} format={format} />
      )}
    </p>
  )
}

const TimeChart = ({ question, title, rows, onChoose, isSmall = false }: ResultChartProps) => {
  const shared = {
    starts: rows.map(({ key }) => key),
    interval: question.interval,
    series: toSeries(question, rows),
    format: formatterOf(question),
    label: t('{title}; the table has the same numbers', { title }),
    ...(isSmall ? { height: SMALL } : {}),
  }
  if (question.view === 'line') return <LineChart {...shared} />
  return <TimeBars {...shared} isStacked={question.view === 'stacked'} onChoose={onChoose} />
}

/** Beside groups the numbers and the bars are one table. */
const barsOf = ({ kind, view }: Question): 'none' | 'plain' | 'stacked' => {
  if (kind !== 'breakdown' || view === 'table') return 'none'
  return view === 'stacked' ? 'stacked' : 'plain'
}

export const ResultChart = (props: ResultChartProps) => {
  const { question, title, rows, onChoose, isSmall = false } = props
  const isTime = question.kind === 'date_breakdown' && question.view !== 'table'
  const table = (
    <ResultTable question={question} title={title} rows={rows} bars={barsOf(question)} onChoose={onChoose} />
  )
  return (
    <div className="flex flex-col gap-4">
      <Headline question={question} rows={rows} />
      {isTime ? <TimeChart {...props} /> : null}
      {!isTime ? table : null}
      {isTime && !isSmall ? (
        <details>
          <summary>{t('Numbers')}</summary>
          <div className="pt-2">{table}</div>
        </details>
      ) : null}
    </div>
  )
}
