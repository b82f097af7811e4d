/** The answer to a question that counts or adds: chart, numbers, and the file of them. */
import { t } from '../language/text.ts'
import { saveCsv } from '../parts/csv.ts'
import { AnswerActions, Progress, type AnswerProps } from './answer-bar.tsx'
import { useRows } from './ask.ts'
import { measureName } from './format-value.ts'
import { zoomInto } from './period.ts'
import { changeQuestion, filterOfGroup, withFilter, type Question } from './question.ts'
import { ResultChart } from './result-chart.tsx'
import { hasValues, toCells, type Row } from './result.ts'

/** About one group or one interval only; undefined where there is no such question. */
const chooser = (
  question: Question,
  onChange: (question: Question) => void,
): ((key: string) => void) | undefined => {
  if (question.kind === 'date_breakdown') {
    if (zoomInto(new Date(0).toISOString(), question.interval) === undefined) return undefined
    return (start) => {
      const zoomed = zoomInto(start, question.interval)
      if (zoomed !== undefined) onChange(changeQuestion(question, zoomed))
    }
  }
  if (question.kind === 'stats') return undefined
  return (label) => {
    const filter = filterOfGroup(question.of, question.by, label)
    if (filter !== undefined) onChange(withFilter(question, filter))
  }
}

const save = (question: Question, rows: readonly Row[]): Promise<void> => {
  const heads = { value: measureName(question), before: t('Period before') }
  saveCsv(toCells(question, rows, heads), `${question.of}-${question.kind}.csv`)
  return Promise.resolve()
}

export const RowsAnswer = ({ question, title, now, onChange, onAskAgain }: AnswerProps) => {
  const { data: rows, error, isFetching } = useRows(question, now)
  const isEmpty = rows !== undefined && !hasValues(rows)
  return (
    <>
      {rows !== undefined && !isFetching ? null : (
        <Progress
          isFetching={isFetching}
          isThere={rows !== undefined}
          error={error}
          onAskAgain={onAskAgain}
        />
      )}
      {isEmpty ? (
        <p>{t('Nothing was found. Choose a longer period, or remove a filter.')}</p>
      ) : rows === undefined ? null : (
        <ResultChart question={question} title={title} rows={rows} onChoose={chooser(question, onChange)} />
      )}
      <AnswerActions
        question={question}
        title={title}
        onSave={rows === undefined || isEmpty ? undefined : () => save(question, rows)}
        onAskAgain={onAskAgain}
      />
    </>
  )
}
