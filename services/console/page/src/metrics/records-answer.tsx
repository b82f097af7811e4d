/** The answer to a search: its records, page after page, and all of them as a file that metrics makes. */
import { exportMetrics } from '../data/api.ts'
import { formatCount } from '../data/format.ts'
import { t } from '../language/text.ts'
import { saveFile } from '../parts/csv.ts'
import { AnswerActions, Progress, type AnswerProps } from './answer-bar.tsx'
import { useRecords } from './ask.ts'
import { limits, longNameOf } from './catalogue.ts'
import type { Question } from './question.ts'
import { RecordsTable } from './records-table.tsx'
import { exportableOf, toExport } from './request.ts'

const save = async (question: Question, now: Date): Promise<void> => {
  const { path, body } = toExport(question, now)
  saveFile(await exportMetrics(path, body), `${question.of}.csv`)
}

const LeftOut = ({ question }: { readonly question: Question }) => {
  const exportable = exportableOf(question)
  const others = question.fields.filter((path) => !exportable.includes(path))
  if (others.length === 0) return null
  return (
    <span className="text-sm text-soft">
      {t('The file has one line for a record, without {names}.', {
        names: others.map((path) => longNameOf(path)).join(', '),
      })}
    </span>
  )
}

export const RecordsAnswer = ({ question, title, now, onAskAgain }: AnswerProps) => {
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useRecords(question, now)
  const records = data?.pages.flatMap((page) => page.data) ?? []
  const count = data?.pages[0]?.meta.pagination.record_count ?? 0
  const canExport = count > 0 && count <= limits.exportMax && exportableOf(question).length > 0
  return (
    <>
      {data === undefined ? null : count === 0 ? (
        <p>{t('Nothing was found. Choose a longer period, or remove a filter.')}</p>
      ) : (
        <>
          <p className="m-0 text-soft">
            {t('{shown} of {count} records', {
              shown: formatCount(records.length),
              count: formatCount(count),
            })}
          </p>
          <RecordsTable question={question} records={records} />
        </>
      )}
      {data !== undefined && !isFetching && error === null ? null : (
        <Progress
          isFetching={isFetching}
          isThere={data !== undefined}
          error={error}
          onAskAgain={onAskAgain}
        />
      )}
      {hasNextPage && !isFetching ? (
        <button type="button" className="button self-start" onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </button>
      ) : null}
      <AnswerActions
        question={question}
        title={title}
        onSave={canExport ? () => save(question, now) : undefined}
        onAskAgain={onAskAgain}
      >
        {count > limits.exportMax ? (
          <span className="text-sm text-soft">
            {t('A file has at most {count} records: choose a shorter period.', {
              count: formatCount(limits.exportMax),
            })}
          </span>
        ) : null}
        {canExport ? <LeftOut question={question} /> : null}
      </AnswerActions>
    </>
  )
}
