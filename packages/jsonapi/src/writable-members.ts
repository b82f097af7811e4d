/** Members of write documents: whether they may be sent, and the violation of those that may not. */
import { AppError } from '@merx/errors/app-error'
import type { WritePolicy } from './attributes.ts'
import type { WriteOperation } from './rules.ts'

/** Whether a member with this policy may be sent in the operation. */
export const mayWrite = (policy: WritePolicy, operation: WriteOperation): boolean =>
  policy === 'always' || policy === operation

/** A member of a JSON pointer (RFC 6901 section 3). */
export const escape = (name: string): string => name.slice(0, 200).replaceAll('~', '~0').replaceAll('/', '~1')

/** The violation of a member that the request may not send. */
export const notAllowed = (pointer: string, detail: string): AppError =>
  new AppError('param_not_allowed', { detail, source: { pointer } })
