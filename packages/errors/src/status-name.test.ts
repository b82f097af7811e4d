import { statusName } from './status-name.ts'

describe('statusName', () => {
  it.each([
    [400, 'BAD_REQUEST'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [405, 'METHOD_NOT_ALLOWED'],
    [406, 'NOT_ACCEPTABLE'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [422, 'UNPROCESSABLE_ENTITY'],
    [429, 'TOO_MANY_REQUESTS'],
    [500, 'INTERNAL_SERVER_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('of %d is %s', (status, name) => {
    expect(statusName(status)).toBe(name)
  })

  it.each([0, 299, 499, 999])('refuses %d, which is no status', (status) => {
    expect(() => statusName(status)).toThrow(`${status} is not an HTTP status`)
  })
})
