/** How an app words its errors, and the id of the request it answers. */
import type { ErrorCode } from '@merx/errors/catalogue'
import type { ErrorEncoder } from '@merx/errors/error-encoder'
import type { Express, Response } from 'express'

/** `internalError` stands for every error that is not an AppError. */
export interface Dialect {
  readonly encodeError: ErrorEncoder
  readonly internalError: ErrorCode
}

const dialects = new WeakMap<Express, Dialect>()

/** Sets the dialect of an app, which finishApp reads. */
export const setDialect = (app: Express, dialect: Dialect): void => {
  dialects.set(app, dialect)
}

/** The dialect createApp was given. Throws for an app made otherwise. */
export const dialectOf = (app: Express): Dialect => {
  const dialect = dialects.get(app)
  if (dialect === undefined) throw new Error('the app was not made by createApp')
  return dialect
}

/** The id of the request being answered: the caller's X-Request-Id or one made by createApp. */
export const requestIdOf = (res: Response): string => {
  const { requestId } = res.locals as { requestId?: unknown }
  if (typeof requestId !== 'string') throw new Error('requestIdOf needs an app made by createApp')
  return requestId
}
