/** Builds the nested `meta.errors` of the contract from the violations of a request. */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'

/** `path` goes from the section inwards, e.g. `['line_items', 'tax_rate']`. */
export interface Violation {
  readonly path: readonly string[]
  readonly message: string
}

export type NestedViolations = readonly (string | { readonly [key: string]: NestedViolations })[]

const nest = (violations: readonly Violation[]): NestedViolations => {
  const messages = violations.filter(({ path }) => path.length === 0).map(({ message }) => message)
  const byKey = new Map<string, Violation[]>()
  for (const { path, message } of violations) {
    const [key, ...rest] = path
    if (key === undefined) continue
    const violation = { path: rest, message }
    const inner = byKey.get(key)
    if (inner === undefined) byKey.set(key, [violation])
    else inner.push(violation)
  }
  return [...messages, ...[...byKey].map(([key, inner]) => ({ [key]: nest(inner) }))]
}

/**
 * @example toNested([{ path: ['order', 'date_to'], message: 'is required with date_from' }])
 * // [{ order: [{ date_to: ['is required with date_from'] }] }]
 */
export const toNested = (violations: readonly Violation[]): NestedViolations => nest(violations)

/** The error that carries all violations of one stage. */
export const violationsError = (code: ErrorCode, violations: readonly Violation[]): AppError =>
  new AppError(code, { meta: { errors: toNested(violations) } })

export const allowed = (values: readonly string[]): string =>
  `not valid, valid values are: ${values.join(', ')}`
