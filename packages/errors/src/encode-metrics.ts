import type { AppError } from './app-error.ts'
import { headersOf, statusOf, type ErrorEncoder } from './error-encoder.ts'
import { statusName } from './status-name.ts'

const violationsOf = (errors: readonly AppError[]): readonly unknown[] =>
  errors.flatMap((error): readonly unknown[] => (Array.isArray(error.meta?.errors) ? error.meta.errors : []))

/** Contract, "Error body": 401 has no meta, every other status has the trace id, 400 and 422 also list the violations. */
const metaOf = (status: number, errors: readonly AppError[], requestId: string) => {
  if (status === 401) return {}
  const listsViolations = status === 400 || status === 422
  return { meta: { ...(listsViolations ? { errors: violationsOf(errors) } : {}), trace_id: requestId } }
}

/** The dialect of metrics: `{"error":{title, code: "UNPROCESSABLE_ENTITY", status: 422, meta?}}`. */
export const encodeMetrics: ErrorEncoder = (errors, { requestId }) => {
  const status = statusOf(errors)
  return {
    status,
    contentType: 'application/vnd.api+json',
    headers: headersOf(errors),
    body: {
      error: {
        title: errors[0]?.title,
        code: statusName(status),
        status,
        ...metaOf(status, errors, requestId),
      },
    },
  }
}
