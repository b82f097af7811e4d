/** The record of a credential, which auth keeps. */
import { AppError } from '@merx/errors/app-error'
import { InternalCallError } from '@merx/http/internal-call-error'
import type { InternalClient } from '@merx/http/internal-client'
import type { Row } from '@merx/jsonapi/attributes'

/** Throws AppError `record_not_found`, or `service_unavailable` when auth does not answer. */
export type FindApplication = (id: string) => Promise<Row>

/** One call per request: applications are asked for rarely. */
export const createFindApplication =
  (auth: Pick<InternalClient, 'get'>): FindApplication =>
  async (id) => {
    try {
      return await auth.get(`/internal/applications/${encodeURIComponent(id)}`, { parse: parseApplication })
    } catch (error) {
      throw toApplicationError(error)
    }
  }

const parseApplication = (answer: unknown): Row => {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw new TypeError('not an application')
  return { ...answer }
}

const toApplicationError = (error: unknown): unknown => {
  if (!(error instanceof InternalCallError)) return error
  return new AppError(error.status === 404 ? 'record_not_found' : 'service_unavailable', { cause: error })
}
