/** A button that asks before it does what cannot be taken back. The focus is on the answer, so the keyboard is enough. */
import { useState } from 'react'
import { t } from '../language/text.ts'

interface ConfirmButtonProps {
  readonly label: string
  /** Such as `Delete the role Warehouse? This cannot be taken back.` */
  readonly question: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
}

export const ConfirmButton = ({ label, question, isBusy = false, onConfirm }: ConfirmButtonProps) => {
  const [isAsked, setAsked] = useState(false)
  const confirm = () => {
    setAsked(false)
    onConfirm()
  }
  return isAsked ? (
    <span role="group" aria-label={question} className="inline-flex flex-wrap items-center gap-2">
      <span>{question}</span>
      <button type="button" className="button" autoFocus onClick={confirm}>
        {t('Yes')}
      </button>
      <button type="button" className="button" onClick={() => setAsked(false)}>
        {t('No')}
      </button>
    </span>
  ) : (
    <button type="button" className="button" disabled={isBusy} onClick={() => setAsked(true)}>
      {label}
    </button>
  )
}
