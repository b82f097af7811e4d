/** A button for each trigger that the state of a record allows, and none for the others. */
import { useState } from 'react'
import { labelOf, triggersOf, type TriggeredType } from '../data/triggers.ts'
import { Problems } from './problems.tsx'

/** They cannot be taken back, so they are asked about. */
const FINAL = new Set(['_cancel', '_refund'])

export interface TriggerButtonsProps {
  readonly type: TriggeredType
  readonly record: object
  /** What the triggers are of, for people who hear the buttons: `order 1234`. */
  readonly name: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onTrigger: (trigger: string) => void
}

export const TriggerButtons = ({ type, record, name, isBusy, error, onTrigger }: TriggerButtonsProps) => {
  const [asked, setAsked] = useState<string>()
  const triggers = triggersOf(type, record)
  const start = (trigger: string) => {
    setAsked(undefined)
    onTrigger(trigger)
  }
  return (
    <div className="flex flex-col gap-3">
      {triggers.length === 0 ? null : (
        <div role="group" aria-label={`Actions of ${name}`} className="flex flex-wrap gap-2">
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
        <div role="group" aria-label="Confirm" className="flex flex-wrap items-center gap-2">
          <span>
            {labelOf(asked)} {name}? This cannot be taken back.
          </span>
          <button type="button" className="button" autoFocus onClick={() => start(asked)}>
            Yes, {labelOf(asked).toLowerCase()}
          </button>
          <button type="button" className="button" onClick={() => setAsked(undefined)}>
            No
          </button>
        </div>
      )}
      {error === null || error === undefined ? null : <Problems error={error} />}
    </div>
  )
}
