/** Keeps a question on the dashboard, under a name. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../language/text.ts'
import { NameDialog } from '../parts/name-dialog.tsx'
import type { Question } from './question.ts'
import { toText, useSave, useSavedQuestions } from './saved-questions.ts'

export interface SaveButtonProps {
  readonly question: Question
  /** What it is called when nothing else is typed. */
  readonly name: string
}

export const SaveButton = ({ question, name }: SaveButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  const { data: saved = [] } = useSavedQuestions()
  const write = useSave(question, () => setOpen(false))
  const text = toText(question)
  if (saved.some((each) => toText(each.question) === text))
    return (
      <Link to="/metrics/dashboard" className="px-2 underline underline-offset-4">
        {t('On your dashboard')}
      </Link>
    )
  const open = () => {
    write.reset()
    setOpen(true)
  }
  return (
    <>
      <button type="button" className="button primary" onClick={open}>
        {t('Save')}
      </button>
      {isOpen ? (
        <NameDialog title={t('Save the question')} name={name} write={write} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}
