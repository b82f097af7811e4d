/** What can be done with an answer, and how far it is: a slow question can be given up. */
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Problems } from '../parts/problems.tsx'
import type { Question } from './question.ts'
import { SaveButton } from './save-button.tsx'

export interface AnswerProps {
  readonly question: Question
  readonly title: string
  readonly now: Date
  readonly onChange: (question: Question) => void
  readonly onAskAgain: () => void
}

interface Asking {
  readonly isFetching: boolean
  /** There is an answer. */
  readonly isThere: boolean
  readonly error: unknown
  readonly onAskAgain: () => void
}

/** While it is asked, when it was given up, and what was refused. */
export const Progress = ({ isFetching, isThere, error, onAskAgain }: Asking) => {
  const queries = useQueryClient()
  if (isFetching)
    return (
      <div role="status" className="flex min-h-10 items-center gap-3 text-soft">
        {t('Asking…')}
        <button
          type="button"
          className="button"
          onClick={() => void queries.cancelQueries({ queryKey: ['metrics'] })}
        >
          {t('Cancel')}
        </button>
      </div>
    )
  if (error !== null && error !== undefined) return <Problems error={error} />
  if (isThere) return null
  return (
    <div role="status" className="flex min-h-10 items-center gap-3 text-soft">
      {t('The question was given up.')}
      <button type="button" className="button" onClick={onAskAgain}>
        {t('Ask again')}
      </button>
    </div>
  )
}

/** Makes a file; what refuses it is shown. */
const CsvButton = ({ onSave }: { readonly onSave: () => Promise<void> }) => {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await onSave()
    } catch (refused) {
      setError(refused)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => void save()}>
        {isBusy ? t('Exporting…') : 'CSV'}
      </button>
      {error === null ? null : <Problems error={error} />}
    </>
  )
}

interface AnswerActionsProps extends Pick<AnswerProps, 'question' | 'title' | 'onAskAgain'> {
  readonly onSave: (() => Promise<void>) | undefined
  readonly children?: ReactNode
}

export const AnswerActions = ({ question, title, onSave, onAskAgain, children }: AnswerActionsProps) => (
  <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
    <SaveButton question={question} name={title} />
    {onSave === undefined ? null : <CsvButton onSave={onSave} />}
    <CopyButton key={window.location.href} text={window.location.href} label={t('Copy the address')} />
    <button type="button" className="button" onClick={onAskAgain}>
      {t('Ask again')}
    </button>
    {children}
  </div>
)
