/**
 * Which triggers a record takes as it is now. The conditions are published by core from its state machines
 * (services/core/gen/triggers.ts), so the page shows no button that the state does not allow.
 */
import conditions from './triggers.json' with { type: 'json' }

/** Attribute → the values that it must have one of. */
type Condition = Readonly<Record<string, readonly string[]>>
type Conditions = Readonly<Record<string, Readonly<Record<string, readonly Condition[]>>>>

export type TriggeredType = keyof typeof conditions

const isMet = (condition: Condition, record: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(condition).every(([attribute, values]) =>
    values.some((value) => value === record[attribute]),
  )

/** In the order of core's list. */
export const triggersOf = (type: TriggeredType, record: object): readonly string[] =>
  Object.entries((conditions as Conditions)[type] ?? {})
    .filter(([, alternatives]) =>
      alternatives.some((condition) => isMet(condition, record as Readonly<Record<string, unknown>>)),
    )
    .map(([trigger]) => trigger)

/** `_approve_and_capture` → `Approve and capture`. */
export const labelOf = (name: string): string => {
  const words = name.replace(/^_/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
