/**
 * Faults of one request section → the nested `meta.errors` of the contract: each entry is an object whose key is the
 * section and whose value lists messages, or one object per wrong attribute.
 */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'

/** `path` goes from the section inwards, e.g. `['line_items', 'tax_rate']`. */
export interface Fault {
  readonly path: readonly string[]
  readonly message: string
}

export type NestedFaults = readonly (string | { readonly [key: string]: NestedFaults })[]

const nest = (faults: readonly Fault[]): NestedFaults => {
  const messages = faults.filter(({ path }) => path.length === 0).map(({ message }) => message)
  const byKey = new Map<string, Fault[]>()
  for (const { path, message } of faults) {
    const [key, ...rest] = path
    if (key === undefined) continue
    const fault = { path: rest, message }
    const inner = byKey.get(key)
    if (inner === undefined) byKey.set(key, [fault])
    else inner.push(fault)
  }
  return [...messages, ...[...byKey].map(([key, inner]) => ({ [key]: nest(inner) }))]
}

/**
 * @example toNested([{ path: ['order', 'date_to'], message: 'is required with date_from' }])
 * // [{ order: [{ date_to: ['is required with date_from'] }] }]
 */
export const toNested = (faults: readonly Fault[]): NestedFaults => nest(faults)

/** The error that carries all faults of one stage. */
export const faultsError = (code: ErrorCode, faults: readonly Fault[]): AppError =>
  new AppError(code, { meta: { errors: toNested(faults) } })

export const allowed = (values: readonly string[]): string =>
  `not valid, valid values are: ${values.join(', ')}`
