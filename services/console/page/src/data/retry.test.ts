import { Refused } from './answers.ts'
import { mayRetry, retryDelay } from './retry.ts'
import { SessionOver } from './session.ts'

const refusal = (status: number) => new Refused(status, [{ title: 'Refused', detail: 'Refused.' }])

/** How often it is asked again. */
const tries = (error: Error): number => {
  let count = 0
  while (mayRetry(count, error)) count += 1
  return count
}

it.each<[string, number, Error]>([
  ['a refusal', 0, refusal(422)],
  ['an unknown record', 0, refusal(404)],
  ['the end of the session', 0, new SessionOver()],
  ['no answer', 2, new TypeError('Failed to fetch')],
  ['too many requests', 6, refusal(429)],
])('%s is tried again %i times', (_name, expected, error) => {
  expect(tries(error)).toBe(expected)
})

it('waits longer than the windows of the limits in all', () => {
  const waits = Array.from({ length: tries(refusal(429)) }, (_, count) => retryDelay(count, refusal(429)))
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(60_000)
})

it('waits as long as the refusal says', () => {
  const detail = 'at most 25 requests in 10 seconds to one endpoint; try again in 7 seconds'
  expect(retryDelay(0, new Refused(429, [{ title: 'Too many requests', detail }]))).toBe(8_000)
})
