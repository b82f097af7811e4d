/** What a copy could not do, by record: refused writes are taken back and logged, and everything else is an error of ours. */
import type { RowOf } from '../../engine/database/rows.ts'
import { attempt } from '../../engine/write/attempt.ts'
import { messagesOfError } from '../../engine/write/error-messages.ts'
import type { Messages } from '../../engine/write/error-messages.ts'
import type { ReactionStep } from '../../engine/write/react.ts'

/** Record → attribute or relationship → messages; as `errors_log` shows it. */
export type ErrorsLog = Record<string, Messages>

export interface Copying {
  readonly copy: RowOf<'OrderFactory'>
  readonly source: RowOf<'Order'>
  readonly errors: ErrorsLog
  readonly step: ReactionStep
}

/** Whether it was done; a refusal is in the log. */
export const tryTo = async (
  key: string,
  type: string,
  act: () => Promise<unknown>,
  { errors, step }: Pick<Copying, 'errors' | 'step'>,
): Promise<boolean> => {
  const refusal = await attempt(step.run, step.registry.require(type), act)
  if (refusal === undefined) return true
  errors[key] = messagesOfError(refusal)
  return false
}

export const keyOf = (type: string, number: number, { registry }: Pick<ReactionStep, 'registry'>): string =>
  `${type}.${registry.ids.encode(type, number)}`

export const hasErrors = (errors: ErrorsLog): boolean => Object.keys(errors).length > 0
