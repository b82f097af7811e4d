/**
 * Which triggers a record takes as it is now. The conditions are published by core from its state machines
 * (services/core/gen/triggers.ts), so the page shows no button that the state does not allow.
 */
import { nameText } from '../language/text.ts'
import conditions from './triggers.json' with { type: 'json' }

/** Attribute → the values that it must have one of. */
type Condition = Readonly<Record<string, readonly string[]>>
type Conditions = Readonly<Record<string, Readonly<Record<string, readonly Condition[]>>>>

export type TriggeredType = keyof typeof conditions

const isMet = (condition: Condition, record: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(condition).every(([attribute, values]) =>
    values.some((value) => value === record[attribute]),
  )

export const hasTriggers = (type: string): type is TriggeredType => Object.hasOwn(conditions, type)

/** In the order of core's list. */
export const triggersOf = (type: TriggeredType, record: object): readonly string[] =>
  Object.entries((conditions as Conditions)[type] ?? {})
    .filter(([, alternatives]) =>
      alternatives.some((condition) => isMet(condition, record as Readonly<Record<string, unknown>>)),
    )
    .map(([trigger]) => trigger)

/** Triggers that set a time and clear it again → the attribute of the time, and whether the trigger clears it. */
const TOGGLES: Readonly<Record<string, { readonly time: string; readonly clears: boolean }>> = {
  _disable: { time: 'disabled_at', clears: false },
  _enable: { time: 'disabled_at', clears: true },
  _archive: { time: 'archived_at', clears: false },
  _unarchive: { time: 'archived_at', clears: true },
}

/** Whether a trigger without conditions would change anything: what is archived is not archived again. */
export const makesSense = (trigger: string, record: object): boolean => {
  const toggle = TOGGLES[trigger]
  if (toggle === undefined) return true
  const isSet = ((record as Readonly<Record<string, unknown>>)[toggle.time] ?? null) !== null
  return isSet === toggle.clears
}

/** What is done to an order by a button: what its state allows, and to put it away or take it out again. */
export const triggersOfOrder = (order: object): readonly string[] => [
  ...triggersOf('orders', order),
  ...['_archive', '_unarchive'].filter((trigger) => makesSense(trigger, order)),
]

/** They cannot be taken back, so they are asked about. */
export const FINAL: ReadonlySet<string> = new Set(['_cancel', '_refund'])

/** `_approve_and_capture` → `Approve and capture`, in the language of the page where names have a translation. */
export const labelOf = (name: string): string => {
  const words = name.replace(/^_/, '').replaceAll('_', ' ')
  return nameText(words.charAt(0).toUpperCase() + words.slice(1))
}
