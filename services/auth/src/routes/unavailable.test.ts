import { AppError } from '@merx/errors/app-error'
import { toOAuthUnavailable } from './unavailable.ts'

describe('what is unavailable', () => {
  it('becomes an OAuth error with the same level, detail and Retry-After', () => {
    const busy = new AppError('service_unavailable', {
      level: 'info',
      detail: 'busy',
      headers: { 'Retry-After': '1' },
    })
    expect(toOAuthUnavailable(busy)).toMatchObject({
      code: 'oauth_unavailable',
      status: 503,
      level: 'info',
      title: 'temporarily_unavailable',
      detail: 'busy',
      headers: { 'Retry-After': '1' },
    })
  })

  it('covers a database that is unavailable', () => {
    const unavailable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    expect(toOAuthUnavailable(unavailable)).toMatchObject({ code: 'oauth_unavailable', cause: unavailable })
  })

  it('is nothing else', () => {
    for (const error of [new AppError('invalid_grant'), new Error('internal'), 'text', undefined])
      expect(toOAuthUnavailable(error)).toBe(error)
  })
})
