import { AppError } from './app-error.ts'
import { jsonApiErrors, type ErrorCode } from './catalogue.ts'
import { encodeJsonApi } from './encode-json-api.ts'

const context = { requestId: 'aaaa' }

describe('encodeJsonApi', () => {
  it.each(Object.entries(jsonApiErrors).filter(([, { status }]) => status < 500))(
    'writes %s with its code in upper case and its status as text',
    (code, entry) => {
      const error = new AppError(code as ErrorCode)
      expect(encodeJsonApi([error], context)).toEqual({
        status: entry.status,
        contentType: 'application/vnd.api+json',
        headers: error.headers ?? {},
        body: {
          errors: [
            {
              title: entry.title,
              detail: error.detail ?? entry.title,
              code: code.toUpperCase(),
              status: String(entry.status),
            },
          ],
        },
      })
    },
  )

  it('writes the validation error of the documentation, keys in its order', () => {
    const error = new AppError('validation_error', {
      title: 'must be less than or equal to 10',
      detail: 'quantity - must be less than or equal to 10',
      source: { pointer: '/data/attributes/quantity' },
      meta: { error: 'less_than_or_equal_to', value: 100, count: 10 },
    })
    expect(JSON.stringify(encodeJsonApi([error], context).body)).toBe(
      '{"errors":[{"title":"must be less than or equal to 10",' +
        '"detail":"quantity - must be less than or equal to 10","code":"VALIDATION_ERROR",' +
        '"source":{"pointer":"/data/attributes/quantity"},"status":"422",' +
        '"meta":{"error":"less_than_or_equal_to","value":100,"count":10}}]}',
    )
  })

  it('writes every error of a request', () => {
    const errors = [new AppError('invalid_include'), new AppError('validation_error')]
    const { status, body } = encodeJsonApi(errors, context)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ code: 'INVALID_INCLUDE' }, { code: 'VALIDATION_ERROR' }] })
  })

  it.each(['internal_server_error', 'service_unavailable'] as const)(
    'names the request in the meta of %s',
    (code) => {
      const { body } = encodeJsonApi([new AppError(code, { meta: { part: 'x' } })], context)
      expect(body).toMatchObject({ errors: [{ meta: { part: 'x', request_id: 'aaaa' } }] })
    },
  )

  it('passes the headers of the errors on', () => {
    const error = new AppError('method_not_allowed', { headers: { Allow: 'GET' } })
    expect(encodeJsonApi([error], context).headers).toEqual({ Allow: 'GET' })
  })
})
