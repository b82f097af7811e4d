/** `_resend` of a webhook: what failed for the last time; with `_resend_from`, and `_resend_to`, everything of that time. */
import { parseInstant } from '@merx/jsonapi/filter-values'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import type { Command } from '../engine/write/commands.ts'
import { RESEND_MAX, resend } from './resend.ts'

const TRIGGER = '_resend'
const FROM = '_resend_from'
const TO = '_resend_to'

const violation = (attribute: string, message: string, value?: unknown): WriteViolation => ({
  at: { attribute },
  error: 'invalid',
  message,
  ...(value === undefined ? {} : { value }),
})

/** @returns undefined when it was not sent */
const instantAt = (
  attribute: string,
  triggers: ReadonlyMap<string, unknown>,
): Date | WriteViolation | undefined => {
  const value = triggers.get(attribute)
  if (typeof value !== 'string') return undefined
  const instant = parseInstant(value)
  const message = 'must be an ISO 8601 date-time, such as 2026-01-31T12:00:00Z'
  return instant.ok ? instant.value : violation(attribute, message, value)
}

export const resendCommand: Command = {
  trigger: TRIGGER,
  run: async ({ number, row, request: { triggers }, step }) => {
    const { topic, disabled_at: disabledAt } = rowOf('Webhook', row)
    const refuse = (...violations: readonly WriteViolation[]) => ({ violations })
    if (disabledAt !== null)
      return refuse(violation(TRIGGER, 'cannot be done while the webhook is disabled; send _enable as well'))
    const from = instantAt(FROM, triggers)
    const to = instantAt(TO, triggers)
    const problems = [from, to].flatMap((each) => (each === undefined || each instanceof Date ? [] : [each]))
    if (problems.length > 0) return refuse(...problems)
    const webhook = { environmentId: step.scope.environmentId, id: number, topic }
    if (!(from instanceof Date)) {
      if (to instanceof Date) return refuse(violation(TO, `is for ${FROM}; send both in one request`))
      await resend(webhook, { kind: 'failed' }, step.run)
      return {}
    }
    const time = { kind: 'time', from, to: to instanceof Date ? to : step.now } as const
    if (time.from > time.to)
      return refuse(violation(FROM, `must not be after ${TO}, ${time.to.toISOString()}`, triggers.get(FROM)))
    const count = await resend(webhook, time, step.run)
    if (count !== undefined) return {}
    return refuse(violation(FROM, `begins a time with more than ${RESEND_MAX} events of ${topic}; narrow it`))
  },
}
