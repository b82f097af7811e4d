import { isTokenRefused, nestedMessages } from './answers.ts'

it('shows what metrics refused as lines that name where', () => {
  const errors = [
    { order: [{ date_to: ['is required with date_from'] }, { status: ['not valid'] }] },
    'too many',
  ]
  expect(nestedMessages(errors)).toEqual([
    'order.date_to: is required with date_from',
    'order.status: not valid',
    'too many',
  ])
})

it('takes another token when the token is refused, not when its role is', () => {
  const refusal = (status: number, challenge?: string) =>
    new Response(null, { status, headers: challenge === undefined ? {} : { 'WWW-Authenticate': challenge } })
  expect(isTokenRefused(refusal(401, 'Bearer realm="merx", error="invalid_token"'))).toBe(true)
  expect(isTokenRefused(refusal(401, 'Bearer realm="merx", error="insufficient_scope"'))).toBe(false)
  expect(isTokenRefused(refusal(401))).toBe(false)
  expect(isTokenRefused(refusal(403, 'Bearer realm="merx", error="invalid_token"'))).toBe(false)
})
