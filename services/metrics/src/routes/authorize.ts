/** Who may run metrics queries. The interface has no 403: every refusal is the same 401 (contract, "Metrics access"). */
import { callerOf } from '@merx/access-token/authenticate'
import type { Caller } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import type { Request, RequestHandler } from 'express'

const mayRead = ({ application, role }: Caller, subject: string): boolean => {
  if (application.kind === 'sales_channel' || role === undefined) return false
  if (role.kind !== 'custom') return true
  return role.permissions.some((one) => one.subject === subject && one.actions.includes('read'))
}

/** Integrations and webapps whose role may read what the path asks about; sales channels never. */
export const requireRead =
  (subjectOf: (req: Request) => string): RequestHandler =>
  (req, res, next) => {
    if (!mayRead(callerOf(res), subjectOf(req))) throw new AppError('metrics_unauthorized')
    next()
  }
