/** What is wrong with one write, from its document to the row it would make, so that one answer tells all of it. */
import type { AppError } from '@merx/errors/app-error'
import { AppErrors } from '@merx/errors/app-error'
import type { WriteFault } from '@merx/jsonapi/rules'
import { toValidationError } from '@merx/jsonapi/validation-errors'

/** Found before values were judged. The write is refused, and judged only to tell what else is wrong with it. */
export interface EarlierFaults {
  /** At least one. */
  readonly errors: readonly AppError[]
  /** Relationships that were sent, in a form that says nothing: nothing more is said of them. */
  readonly unreadable: ReadonlySet<string>
}

/** Throws AppErrors when there are faults, earlier or now; each is told once. */
export const refuseAll = (earlier: EarlierFaults | undefined, faults: readonly WriteFault[]): void => {
  const errors = withoutRepeats([...(earlier?.errors ?? []), ...faults.map(toValidationError)])
  if (errors.length > 0) throw new AppErrors(errors)
}

/** Several checks may find the same; one fault per member and kind is enough. */
const withoutRepeats = (errors: readonly AppError[]): readonly AppError[] => {
  const seen = new Set<string>()
  return errors.filter(({ code, detail, source, meta }) => {
    const kind = code === 'validation_error' ? meta?.['error'] : detail
    const key = JSON.stringify([code, source, kind])
    return !seen.has(key) && seen.add(key)
  })
}
