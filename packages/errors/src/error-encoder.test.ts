import { AppError } from './app-error.ts'
import { headersOf, statusOf } from './error-encoder.ts'

describe('statusOf', () => {
  it.each([
    ['one error', ['locked'], 423],
    ['several of one status', ['validation_error', 'validation_error'], 422],
    ['several 4xx', ['validation_error', 'not_found'], 400],
    ['several 5xx', ['internal_server_error', 'service_unavailable'], 500],
    ['4xx and 5xx together', ['not_found', 'service_unavailable'], 500],
  ] as const)('of %s', (_name, codes, status) => {
    expect(statusOf(codes.map((code) => new AppError(code)))).toBe(status)
  })

  it('refuses no errors at all', () => {
    expect(() => statusOf([])).toThrow(RangeError)
  })
})

describe('headersOf', () => {
  it('joins the headers of all errors, the first to set one wins whatever the case', () => {
    const errors = [
      new AppError('locked', { headers: { Allow: 'GET' } }),
      new AppError('locked'),
      new AppError('locked', { headers: { allow: 'POST', 'Retry-After': '1' } }),
    ]
    expect(headersOf(errors)).toEqual({ Allow: 'GET', 'Retry-After': '1' })
  })
})
