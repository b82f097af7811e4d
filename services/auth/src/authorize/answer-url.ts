/** The redirect that answers an authorization request (RFC 6749 4.1.2, RFC 9207). */
import type { AppError } from '@merx/errors/app-error'
import { toDescription } from '@merx/errors/encode-oauth'
import type { AuthorizationTarget } from './authorization-request.ts'

type Answered = Pick<AuthorizationTarget, 'redirectUri' | 'state'>

/** The redirect URI stays as it was registered; its own query is kept (RFC 6749 3.1.2). Always ASCII. */
const withParameters = (redirectUri: string, parameters: Record<string, string>): string => {
  const separator = redirectUri.includes('?') ? '&' : '?'
  const start = redirectUri.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
  return `${start}${separator}${new URLSearchParams(parameters).toString()}`
}

const answerUrl = (
  { redirectUri, state }: Answered,
  parameters: Record<string, string>,
  issuer: string,
): string =>
  withParameters(redirectUri, {
    ...parameters,
    ...(state === undefined ? {} : { state }),
    iss: issuer,
  })

export const codeUrl = (target: Answered, code: string, issuer: string): string =>
  answerUrl(target, { code }, issuer)

export const errorUrl = (
  target: Answered,
  error: Pick<AppError, 'title' | 'detail'>,
  issuer: string,
): string =>
  answerUrl(
    target,
    { error: error.title, error_description: toDescription(error.detail ?? error.title) },
    issuer,
  )
