/** Errors of calls to core → the errors that auth answers. */
import { AppError } from '@merx/errors/app-error'
import { InternalCallError } from '@merx/http/internal-call-error'

const UNAVAILABLE = 503

/** An unavailable core is answered with 503 and Retry-After, never with a refusal that looks like a wrong password. */
export const toUnavailable = (error: unknown): never => {
  if (!(error instanceof InternalCallError)) throw error
  // A core that answers 503 has logged why.
  const level = error.status === UNAVAILABLE ? 'info' : 'error'
  throw new AppError('oauth_unavailable', { cause: error, headers: { 'Retry-After': '1' }, level })
}

export const undefinedIfNotFound = (error: unknown): undefined => {
  if (error instanceof InternalCallError && error.status === 404) return undefined
  return toUnavailable(error)
}
