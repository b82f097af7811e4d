/** A button for each trigger that a record takes as it is now. */
import { useState } from 'react'
import { FINAL, labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Problems } from './problems.tsx'

export interface TriggerButtonsProps {
  /** Those that the record takes now. */
  readonly triggers: readonly string[]
  /** What the triggers are of, for people who hear the buttons: `order 1234`. */
  readonly name: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onTrigger: (trigger: string) => void
}

export const TriggerButtons = ({ triggers, name, isBusy, error, onTrigger }: TriggerButtonsProps) => {
  const [asked, setAsked] = useState<string>()
  const start = (trigger: string) => {
    setAsked(undefined)
    onTrigger(trigger)
  }
  return (
    <div className="flex flex-col gap-3">
      {triggers.length === 0 ? null : (
        <div role="group" aria-label={t('Actions of {name}', { name })} className="flex flex-wrap gap-2">
          {triggers.map((trigger) => (
            <button
              key={trigger}
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() => (FINAL.has(trigger) ? setAsked(trigger) : start(trigger))}
            >
              {labelOf(trigger)}
            </button>
          ))}
        </div>
      )}
      {asked === undefined ? null : (
        <div role="group" aria-label={t('Confirm')} className="flex flex-wrap items-center gap-2">
          <span>{t('{action} {name}? This cannot be taken back.', { action: labelOf(asked), name })}</span>
          <button type="button" className="button" autoFocus onClick={() => start(asked)}>
            {t('Yes, {action}', { action: labelOf(asked).toLowerCase() })}
          </button>
          <button type="button" className="button" onClick={() => setAsked(undefined)}>
            {t('No')}
          </button>
        </div>
      )}
      {error === null || error === undefined ? null : <Problems error={error} />}
    </div>
  )
}
