import { AppError } from './app-error.ts'
import { metricsErrors, type ErrorCode } from './catalogue.ts'
import { encodeMetrics } from './encode-metrics.ts'
import { statusName } from './status-name.ts'

const context = { requestId: 'aaaa' }

const metaFor = (status: number) => {
  if (status === 401) return {}
  return { meta: status === 400 || status === 422 ? { errors: [], trace_id: 'aaaa' } : { trace_id: 'aaaa' } }
}

describe('encodeMetrics', () => {
  it.each(Object.entries(metricsErrors))(
    'writes %s with the meta its status allows',
    (code, { status, title }) => {
      const error = new AppError(code as ErrorCode)
      expect(encodeMetrics([error], context)).toEqual({
        status,
        contentType: 'application/vnd.api+json',
        headers: error.headers ?? {},
        body: { error: { title, code: statusName(status), status, ...metaFor(status) } },
      })
    },
  )

  it('writes the contract example, keys in its order', () => {
    const error = new AppError('metrics_filter_not_valid', {
      meta: { errors: [{ order: [{ date_to: ['is required with date_from'] }] }] },
    })
    expect(JSON.stringify(encodeMetrics([error], context).body)).toBe(
      '{"error":{"title":"filter is not valid","code":"UNPROCESSABLE_ENTITY","status":422,' +
        '"meta":{"errors":[{"order":[{"date_to":["is required with date_from"]}]}],"trace_id":"aaaa"}}}',
    )
  })

  it('joins the violations of several errors under the title of the first', () => {
    const errors = [
      new AppError('metrics_request_not_valid', { meta: { errors: [{ filtr: ['not valid'] }] } }),
      new AppError('metrics_request_not_valid', { meta: { errors: [{ stat: ['not valid'] }] } }),
    ]
    expect(encodeMetrics(errors, context).body).toMatchObject({
      error: {
        title: 'request is not valid',
        meta: { errors: [{ filtr: ['not valid'] }, { stat: ['not valid'] }] },
      },
    })
  })

  it.each(['metrics_unauthorized', 'metrics_not_found', 'metrics_internal'] as const)(
    'leaves violations out of %s even when given',
    (code) => {
      const error = new AppError(code, { meta: { errors: ['secret'], other: 'secret' } })
      expect(JSON.stringify(encodeMetrics([error], context))).not.toContain('secret')
    },
  )
})
