/** Violations of a write → 422 errors in the form clients compare: title is the message, detail names the member. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { WriteViolation } from './rules.ts'

/** core-conventions.md 9.1. */
export const toValidationError = ({ at, error, message, value, count }: WriteViolation): AppError => {
  const { name, pointer } = locate(at)
  return new AppError('validation_error', {
    title: message,
    detail: `${name} - ${message}`,
    source: { pointer },
    meta: {
      error,
      ...(isEchoed(value) ? { value } : {}),
      ...(count === undefined ? {} : { count }),
    },
  })
}

/** Throws AppErrors when there are violations. */
export const throwViolations = (violations: readonly WriteViolation[]): void => {
  if (violations.length > 0) throw new AppErrors(violations.map(toValidationError))
}

/** Only what is short, and is JSON: a body must not come back with its own error. */
const isEchoed = (value: unknown): boolean =>
  Number.isFinite(value) || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 200)

const locate = (at: WriteViolation['at']): { readonly name: string; readonly pointer: string } => {
  if (at === undefined) return { name: 'base', pointer: '/data' }
  if ('attribute' in at) return { name: at.attribute, pointer: `/data/attributes/${at.attribute}` }
  return { name: at.relationship, pointer: `/data/relationships/${at.relationship}` }
}
