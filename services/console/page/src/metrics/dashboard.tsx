/** The saved questions of the user, each with its answer of now. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRemove, useRename } from '../data/saved.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { useRecords, useRows } from './ask.ts'
import { formatterOf } from './format-value.ts'
import { toRaw, type Question } from './question.ts'
import { ResultChart } from './result-chart.tsx'
import { hasValues } from './result.ts'
import { useSavedQuestions, type SavedQuestion } from './saved-questions.ts'
import { useSeen } from './use-seen.ts'

/** Groups beyond these are a click away. */
const ROWS_MAX = 5

interface TileProps {
  readonly question: Question
  readonly name: string
  readonly now: Date
  readonly isSeen: boolean
}

const Records = ({ question, now, isSeen }: TileProps) => {
  const { data, error } = useRecords(question, now, isSeen)
  if (error !== null) return <Problems error={error} />
  const count = data?.pages[0]?.meta.pagination.record_count
  if (count === undefined) return <Loading of={t('the answer')} />
  return (
    <p className="m-0 text-2xl font-semibold tabular-nums">
      {t('{count, plural, one {# record} other {# records}}', { count })}
    </p>
  )
}

const Rows = ({ question, name, now, isSeen }: TileProps) => {
  const { data: rows, error } = useRows(question, now, isSeen)
  if (error !== null) return <Problems error={error} />
  if (rows === undefined) return <Loading of={t('the answer')} />
  if (!hasValues(rows)) return <p className="m-0 text-soft">{t('Nothing was found.')}</p>
  const isTime = question.kind === 'date_breakdown'
  const shown = isTime && question.view !== 'table' ? rows : rows.slice(0, ROWS_MAX)
  const [largest] = rows
  return (
    <>
      <ResultChart question={question} title={name} rows={shown} isSmall />
      {shown.length === rows.length || largest === undefined ? null : (
        <p className="m-0 text-sm text-soft">
          {t('and {count} more, down to {value}', {
            count: rows.length - shown.length,
            value: formatterOf(question)(rows.at(-1)?.value),
          })}
        </p>
      )}
    </>
  )
}

const Tile = ({ saved, now }: { readonly saved: SavedQuestion; readonly now: Date }) => {
  const { id, name, question } = saved
  const [ref, isSeen] = useSeen<HTMLElement>()
  const [isRenamed, setRenamed] = useState(false)
  const rename = useRename(id, () => setRenamed(false))
  const remove = useRemove(id)
  const Answer = question.kind === 'search' ? Records : Rows
  return (
    <article ref={ref} aria-label={name} className="card flex min-h-64 min-w-0 flex-col gap-3">
      <h2 className="text-lg font-semibold break-words">
        <Link to="/metrics" search={toRaw(question)} className="underline decoration-line underline-offset-4">
          {name}
        </Link>
      </h2>
      <div className="min-w-0 grow">
        <Answer question={question} name={name} now={now} isSeen={isSeen} />
      </div>
      {remove.error === null ? null : <Problems error={remove.error} />}
      <div className="flex flex-wrap gap-2 border-t border-line pt-3">
        <button type="button" className="button" onClick={() => setRenamed(true)}>
          {t('Rename')}
        </button>
        <ConfirmButton
          label={t('Delete')}
          question={t('Delete {name}? This cannot be taken back.', { name })}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
        />
      </div>
      {isRenamed ? (
        <NameDialog title={t('Rename')} name={name} write={rename} onClose={() => setRenamed(false)} />
      ) : null}
    </article>
  )
}

export const Dashboard = () => {
  const { data, error } = useSavedQuestions()
  const [now] = useState(() => new Date())
  if (error !== null) return <Problems error={error} />
  if (data === undefined) return <Loading of={t('saved questions')} />
  if (data.length === 0)
    return (
      <div className="card flex flex-col items-start gap-3">
        <p className="m-0">
          {t('Nothing is saved yet. Ask a question and save it: it is shown here, for you alone.')}
        </p>
        <Link to="/metrics" search={{}} className="button primary">
          {t('Ask a question')}
        </Link>
      </div>
    )
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      {data.map((saved) => (
        <Tile key={saved.id} saved={saved} now={now} />
      ))}
    </div>
  )
}
