/** Refuses callers who may not run metrics queries, all with the same 401: the interface has no 403 (contract, "Metrics access"). */
import { callerOf } from '@merx/access-token/authenticate'
import { AppError } from '@merx/errors/app-error'
import type { Request, RequestHandler } from 'express'
import { readRestrictionOf } from '../request/read-restriction.ts'

/** Integrations and webapps whose role may read what the path asks about; sales channels never. */
export const requireRead =
  (subjectOf: (req: Request) => string): RequestHandler =>
  (req, res, next) => {
    if (readRestrictionOf(callerOf(res), subjectOf(req)) === undefined)
      throw new AppError('metrics_unauthorized')
    next()
  }
