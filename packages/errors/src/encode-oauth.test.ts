import { AppError } from './app-error.ts'
import { oauthErrors, type ErrorCode } from './catalogue.ts'
import { encodeOAuth } from './encode-oauth.ts'
import { statusName } from './status-name.ts'

const context = { requestId: 'aaaa' }

describe('encodeOAuth', () => {
  it.each(Object.entries(oauthErrors).filter(([, { status }]) => status < 500))(
    'writes %s with the keys of RFC 6749 and the errors array',
    (code, { status, title }) => {
      const error = new AppError(code as ErrorCode)
      const detail = error.detail ?? title
      expect(encodeOAuth([error], context)).toEqual({
        status,
        contentType: 'application/json',
        headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
        body: {
          error: title,
          error_description: detail,
          errors: [{ title, detail, code: statusName(status), status }],
        },
      })
    },
  )

  it('writes the status as a number and the title as the OAuth name', () => {
    expect(JSON.stringify(encodeOAuth([new AppError('invalid_assertion')], context).body)).toBe(
      '{"error":"invalid_assertion","error_description":"The provided assertion is invalid.",' +
        '"errors":[{"title":"invalid_assertion","detail":"The provided assertion is invalid.",' +
        '"code":"BAD_REQUEST","status":400}]}',
    )
  })

  it('keeps error_description within the characters of RFC 6749 5.2 and the detail whole', () => {
    const detail = 'the scope "märket:\\x" is malformed\n'
    expect(encodeOAuth([new AppError('invalid_scope', { detail })], context).body).toMatchObject({
      error_description: "the scope 'm?rket:/x' is malformed?",
      errors: [{ detail }],
    })
  })

  it('speaks for the first of several errors and lists all', () => {
    const errors = [
      new AppError('invalid_request', { detail: 'a' }),
      new AppError('invalid_scope', { detail: 'b' }),
    ]
    expect(encodeOAuth(errors, context).body).toMatchObject({
      error: 'invalid_request',
      error_description: 'a',
      errors: [{ title: 'invalid_request' }, { title: 'invalid_scope' }],
    })
  })

  it('writes meta when there is one, and the request id with internal errors', () => {
    const [own, ours] = [new AppError('invalid_scope', { meta: { a: 1 } }), new AppError('oauth_internal')]
    expect(encodeOAuth([own], context).body).toMatchObject({ errors: [{ meta: { a: 1 } }] })
    expect(encodeOAuth([ours], context).body).toEqual({
      error: 'server_error',
      error_description: 'server_error',
      errors: [
        {
          title: 'server_error',
          detail: 'server_error',
          code: 'INTERNAL_SERVER_ERROR',
          status: 500,
          meta: { request_id: 'aaaa' },
        },
      ],
    })
  })

  it('is never stored by a cache, whatever headers the error brings', () => {
    const error = new AppError('invalid_client', {
      headers: { 'WWW-Authenticate': 'Basic realm="merx"', 'Cache-Control': 'public' },
    })
    expect(encodeOAuth([error], context).headers).toEqual({
      'WWW-Authenticate': 'Basic realm="merx"',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
    })
  })

  it('refuses no errors at all', () => {
    expect(() => encodeOAuth([], context)).toThrow(RangeError)
  })
})
