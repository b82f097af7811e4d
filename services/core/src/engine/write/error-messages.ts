/** Violations of a write → what the log of a job says: attribute or relationship → messages. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { ItemRefusal } from './attempt.ts'

/** Attribute or relationship → what is wrong with it. */
export type Messages = Readonly<Record<string, readonly string[]>>

export const messagesOf = (violations: readonly WriteViolation[]): Messages => {
  const messages: Record<string, readonly string[]> = {}
  for (const { at, message } of violations) {
    const name = at === undefined ? 'base' : 'attribute' in at ? at.attribute : at.relationship
    messages[name] = [...(messages[name] ?? []), message]
  }
  return messages
}

/** Of errors a single write would answer with; throws what is not caused by the item. */
export const messagesOfError = (error: unknown): Messages => {
  if (error instanceof ItemRefusal) return error.messages
  const errors = error instanceof AppErrors ? error.errors : [error]
  const messages: Record<string, readonly string[]> = {}
  for (const each of errors) {
    if (!(each instanceof AppError) || each.code === 'service_unavailable') throw error
    const name = each.source?.pointer?.split('/').at(-1)
    const key = name === undefined || name === 'data' ? 'base' : name
    const text = each.code === 'validation_error' ? each.title : (each.detail ?? each.title)
    messages[key] = [...(messages[key] ?? []), text]
  }
  return messages
}
