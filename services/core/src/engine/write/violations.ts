/** Violations of one write, from its document to the row it would make, collected so that one answer lists all of them. */
import type { AppError } from '@merx/errors/app-error'
import { AppErrors } from '@merx/errors/app-error'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { toValidationError } from '@merx/jsonapi/validation-errors'

/** Found before the values were validated. The write is refused; it is validated only to list further violations. */
export interface EarlierViolations {
  /** At least one. */
  readonly errors: readonly AppError[]
  /** Relationships that were sent in an unreadable form: no further violation is reported for them. */
  readonly unreadable: ReadonlySet<string>
}

/** Throws AppErrors when there are violations, earlier or new; each is reported once. */
export const refuseViolations = (
  earlier: EarlierViolations | undefined,
  violations: readonly WriteViolation[],
): void => {
  const errors = withoutRepeats(
    [...(earlier?.errors ?? []), ...violations.map(toValidationError)],
    keyOfError,
  )
  if (errors.length > 0) throw new AppErrors(errors)
}

const keyOfError = ({ code, detail, source, meta }: AppError): unknown => [
  code,
  source,
  code === 'validation_error' ? meta?.['error'] : detail,
]

/** The first item of each key; several checks may find the same. */
export const withoutRepeats = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown,
): readonly Item[] => {
  if (items.length < 2) return items
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = JSON.stringify(keyOf(item))
    return !seen.has(key) && seen.add(key)
  })
}
