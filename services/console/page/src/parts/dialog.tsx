/** A modal dialog of the browser: it holds the focus, closes with Escape, and gives the focus back. */
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { t } from '../language/text.ts'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    dialog.current?.showModal()
    // The browser would begin at the button that closes.
    dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      className="m-auto w-full max-w-xl rounded-xl border border-line bg-card p-0 text-text backdrop:bg-black/40"
    >
      <div className="flex flex-col gap-4 p-5">
        <div className="flex items-start justify-between gap-4">
          <h2 id={heading} className="text-lg font-semibold">
            {title}
          </h2>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {t('Close')}
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
