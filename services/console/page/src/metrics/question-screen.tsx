/** A question to metrics and its answer. All of the question is in the address, so that it can be shared. */
import { useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTokenInformation } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { useCurrencies } from './ask.ts'
import { Builder } from './builder.tsx'
import { resourceOf } from './catalogue.ts'
import { measureName } from './format-value.ts'
import {
  currencyOf,
  isMoney,
  readQuestion,
  toRaw,
  viewsOf,
  withFilter,
  type Question,
  type View,
} from './question.ts'
import { readableQuestions, readyQuestions, toQuestion, type ReadyQuestion } from './ready-questions.ts'
import { RecordsAnswer } from './records-answer.tsx'
import { RequestView } from './request-view.tsx'
import { RowsAnswer } from './rows-answer.tsx'
import { useMayRead } from './use-may-read.ts'

const LINK =
  'inline-block rounded-full border border-line bg-card px-3 py-1 text-sm whitespace-nowrap hover:border-field'

/** What a ready question is called, else what is measured. */
const titleOf = (question: Question, currency: string | undefined): string => {
  const asked = JSON.stringify(toRaw(question))
  const ready = readyQuestions.find((each) => JSON.stringify(toRaw(toQuestion(each, currency))) === asked)
  if (ready !== undefined) return ready.name()
  return question.kind === 'search' ? t('A list of records') : measureName(question)
}

const ReadyQuestions = ({ ready, currency }: BeginProps) => (
  <nav aria-label={t('Ready questions')} className="-mx-1 overflow-x-auto px-1 py-1" tabIndex={0}>
    <ul className="flex gap-2 sm:flex-wrap">
      {ready.map((each) => (
        <li key={each.name()}>
          <Link to="/metrics" search={toRaw(toQuestion(each, currency))} className={LINK}>
            {each.name()}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

const viewNames = (): Readonly<Record<View, string>> => ({
  line: t('Line'),
  bar: t('Bars'),
  stacked: t('Stacked'),
  table: t('Table'),
})

interface PartProps {
  readonly question: Question
  readonly onChange: (question: Question) => void
}

const Views = ({ question, onChange }: PartProps) => {
  const views = viewsOf(question)
  return views.length === 1 ? null : (
    <div role="group" aria-label={t('Shown as')} className="flex flex-wrap gap-1">
      {views.map((view) => (
        <button
          key={view}
          type="button"
          aria-pressed={view === question.view}
          className={`rounded-lg px-3 py-1.5 ${view === question.view ? 'bg-ground font-semibold' : 'hover:bg-ground'}`}
          onClick={() => onChange({ ...question, view })}
        >
          {viewNames()[view]}
        </button>
      ))}
    </div>
  )
}

/** Amounts of several currencies have no sum. */
const CurrencyWarning = ({ question, onChange }: PartProps) => {
  const { data: currencies = [] } = useCurrencies()
  if (!isMoney(question) || currencyOf(question) !== undefined || currencies.length < 2) return null
  const { currencyFilter } = resourceOf(question.of)
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-warn-ground px-4 py-2 text-warn"
    >
      <span>{t('Amounts of several currencies are added here. Choose one:')}</span>
      {currencies.map((code) => (
        <button
          key={code}
          type="button"
          className="rounded-lg border border-current px-2 py-0.5 font-semibold"
          onClick={() => onChange(withFilter(question, [currencyFilter, 'in', [code]]))}
        >
          {code}
        </button>
      ))}
    </div>
  )
}

const Asked = ({ question }: { readonly question: Question }) => {
  const navigate = useNavigate()
  const queries = useQueryClient()
  // The same instant for everything that is asked of a question; asking again is about now.
  const [at, setAt] = useState(() => ({ question, now: new Date() }))
  const askAgain = () => {
    setAt({ question, now: new Date() })
    void queries.invalidateQueries({ queryKey: ['currencies'] })
  }
  const change = (changed: Question) => void navigate({ to: '/metrics', search: toRaw(changed) })
  const { now } = at
  const { data: currencies } = useCurrencies()
  const [isOpen, setOpen] = useState(false)
  const title = titleOf(question, currencies?.[0])
  const Answer = question.kind === 'search' ? RecordsAnswer : RowsAnswer
  return (
    <div className="grid gap-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3 self-start">
        <button
          type="button"
          className="button lg:hidden"
          aria-expanded={isOpen}
          aria-controls="question"
          onClick={() => setOpen(!isOpen)}
        >
          {t('Change the question')}
        </button>
        <div id="question" className={isOpen ? '' : 'max-lg:hidden'}>
          <Builder question={question} onChange={change} />
        </div>
      </div>
      <section aria-labelledby="answer" className="flex min-w-0 flex-col gap-4">
        <CurrencyWarning question={question} onChange={change} />
        <div className="card flex min-w-0 flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="answer" className="text-lg font-semibold">
              {title}
            </h2>
            <Views question={question} onChange={change} />
          </div>
          <Answer question={question} title={title} now={now} onChange={change} onAskAgain={askAgain} />
        </div>
        <RequestView question={question} now={now} />
      </section>
    </div>
  )
}

interface BeginProps {
  readonly ready: readonly ReadyQuestion[]
  readonly currency: string | undefined
}

/** Nothing is asked yet: the first of the ready questions, in the currency of most orders. */
const Begin = ({ ready: [first], currency }: BeginProps) =>
  first === undefined ? (
    <p className="card">{t('Your role may read neither orders nor returns, which metrics are about.')}</p>
  ) : (
    <Navigate to="/metrics" search={toRaw(toQuestion(first, currency))} replace />
  )

export const QuestionScreen = () => {
  const raw = useSearch({ from: '/metrics/' })
  const token = useTokenInformation()
  const mayRead = useMayRead()
  // Who may not read orders has no currencies, and questions to ask all the same.
  const { data: currencies, isPending } = useCurrencies()
  const question = useMemo(() => readQuestion(raw), [raw])
  const ready = readableQuestions(mayRead)
  const isBegin = Object.keys(raw).length === 0
  const currency = currencies?.[0]
  if (token.error !== null) return <Problems error={token.error} />
  if (isPending || token.isPending) return <Loading of={t('currencies')} />
  return (
    <div className="flex flex-col gap-4">
      <ReadyQuestions ready={ready} currency={currency} />
      {isBegin ? <Begin ready={ready} currency={currency} /> : <Asked question={question} />}
    </div>
  )
}
