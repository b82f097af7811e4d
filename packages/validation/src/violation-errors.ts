import { AppError, AppErrors } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Violation } from './compile.ts'

/** The last key a pointer names, unescaped; empty for the whole value. */
const lastKey = (pointer: string): string =>
  (pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * Violations as errors of one code: the message as title, `<name> - <message>` as detail, and the pointer, under `prefix`,
 * as source (core-conventions.md 9.1).
 */
export const toViolationErrors = (
  violations: readonly Violation[],
  code: ErrorCode,
  prefix = '',
): AppErrors =>
  new AppErrors(
    violations.map(({ pointer, message }) => {
      const name = lastKey(pointer)
      return new AppError(code, {
        title: message,
        detail: name === '' ? message : `${name} - ${message}`,
        source: { pointer: `${prefix}${pointer}` },
      })
    }),
  )
