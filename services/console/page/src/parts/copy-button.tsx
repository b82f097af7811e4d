/** Copies a text, and says so. */
import { useState } from 'react'
import { t } from '../language/text.ts'

interface CopyButtonProps {
  readonly text: string
  /** `Copy`, when nothing else is said. */
  readonly label?: string
}

export const CopyButton = ({ text, label = t('Copy') }: CopyButtonProps) => {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  }
  const labels = { idle: label, copied: t('Copied'), refused: t('Copying was refused by the browser') }
  return (
    <button type="button" className="button" onClick={copy} aria-live="polite">
      {labels[state]}
    </button>
  )
}
