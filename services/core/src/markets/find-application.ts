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

/** Auth's answer → a row whose times are instants. Throws TypeError on what is none. */
export const parseApplication = (answer: unknown): Row => {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw new TypeError('not an application')
  const { created_at: createdAt, updated_at: updatedAt, ...row } = answer as Row
  return { ...row, created_at: toInstant(createdAt), updated_at: toInstant(updatedAt) }
}

/** Absent from a release of auth that does not tell. */
const toInstant = (text: unknown): Date | null => {
  if (text === undefined) return null
  const instant = new Date(typeof text === 'string' ? text : NaN)
  if (Number.isNaN(instant.getTime())) throw new TypeError('a time of an application is none')
  return instant
}

const toApplicationError = (error: unknown): unknown => {
  if (!(error instanceof InternalCallError)) return error
  return new AppError(error.status === 404 ? 'record_not_found' : 'service_unavailable', { cause: error })
}
