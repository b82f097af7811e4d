/** The common parts of the encoders of the three error formats. */
import type { AppError } from './app-error.ts'

/** A response in one dialect; `body` is what JSON.stringify gets. */
export interface EncodedError {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Pure: the errors of one request (never none) as a response. */
export type ErrorEncoder = (
  errors: readonly AppError[],
  context: { readonly requestId: string },
) => EncodedError

/**
 * The status of several errors together: theirs if they agree, else the general one of the worse class
 * (JSON:API 1.0, "Processing Errors": 400 for several 4xx, 500 for several 5xx).
 */
export const statusOf = (errors: readonly AppError[]): number => {
  const statuses = new Set(errors.map((error) => error.status))
  const [only] = statuses
  if (only === undefined) throw new RangeError('an error response needs at least one error')
  if (statuses.size === 1) return only
  return Math.max(...statuses) >= 500 ? 500 : 400
}

/** The headers of all errors together; the first error to set one wins, whatever the case of its name. */
export const headersOf = (errors: readonly AppError[]): Record<string, string> => {
  const byLowerName = new Map<string, [name: string, value: string]>()
  for (const error of errors) {
    for (const [name, value] of Object.entries(error.headers ?? {})) {
      const lowerName = name.toLowerCase()
      if (!byLowerName.has(lowerName)) byLowerName.set(lowerName, [name, value])
    }
  }
  return Object.fromEntries(byLowerName.values())
}
