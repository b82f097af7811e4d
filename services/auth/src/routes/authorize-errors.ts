/** Errors of /oauth/authorize: to the application when they are about its request, else as a page to the user. */
import type { AppError } from '@merx/errors/app-error'
import { headersOf, statusOf } from '@merx/errors/error-encoder'
import { toAppErrors } from '@merx/errors/to-app-errors'
import { requestIdOf } from '@merx/http/dialect'
import type { Logger } from '@merx/telemetry/logger'
import type { ErrorRequestHandler, Response } from 'express'
import { errorUrl } from '../authorize/answer-url.ts'
import type { AuthorizationTarget } from '../authorize/authorization-request.ts'
import { errorPage } from '../pages/error-page.ts'
import { redirect, sendPage } from './send-page.ts'
import { toOAuthUnavailable } from './unavailable.ts'

export interface AuthorizeErrorDeps {
  readonly issuer: string
  readonly log: Logger
}

interface Locals {
  target?: AuthorizationTarget
  errorCodes?: readonly string[]
}

/** From now on errors go to the target. @returns what ends that */
export const setTarget = (res: Response, target: AuthorizationTarget): (() => void) => {
  const locals = res.locals as Locals
  locals.target = target
  return () => {
    delete locals.target
  }
}

const logErrors = (errors: readonly AppError[], log: Logger): void => {
  for (const error of errors) {
    const level = error.level === 'info' ? 'debug' : error.level
    log[level]({ err: error, error_code: error.code }, 'the request was refused')
  }
}

export const answerAuthorizeErrors =
  ({ issuer, log }: AuthorizeErrorDeps): ErrorRequestHandler =>
  (thrown: unknown, _req, res, _next) => {
    const errors = toAppErrors(toOAuthUnavailable(thrown), 'oauth_internal')
    const locals = res.locals as Locals
    locals.errorCodes = errors.map(({ code }) => code)
    logErrors(errors, log)
    const [first] = errors
    if (locals.target !== undefined && first !== undefined) {
      redirect(res, errorUrl(locals.target, first, issuer))
      return
    }
    for (const [name, value] of Object.entries(headersOf(errors))) res.setHeader(name, value)
    sendPage(res, errorPage(errors, statusOf(errors), requestIdOf(res)))
  }
