/** Who may run metrics queries. The interface has no 403: every refusal is the same 401 (contract, "Metrics access"). */
import { callerOf } from '@merx/access-token/authenticate'
import type { Caller } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import type { RequestHandler } from 'express'

const SUBJECT = 'orders'

const mayReadOrders = ({ application, role }: Caller): boolean => {
  if (application.kind === 'sales_channel' || role === undefined) return false
  if (role.kind !== 'custom') return true
  return role.permissions.some(({ subject, actions }) => subject === SUBJECT && actions.includes('read'))
}

/** Integrations and webapps whose role may read orders; sales channels never. */
export const requireOrdersRead: RequestHandler = (_req, res, next) => {
  if (!mayReadOrders(callerOf(res))) throw new AppError('metrics_unauthorized')
  next()
}
