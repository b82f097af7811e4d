import { defineJob, failureJobOf } from './define-job.ts'
import type { JobDefinition } from './define-job.ts'

const job = (changes: Partial<JobDefinition>): JobDefinition => ({
  name: 'orders.expire',
  retryDelaysSeconds: [0, 5],
  run: async () => 'done',
  ...changes,
})

test.each([
  ['an empty name', { name: '' }],
  ['a name in upper case', { name: 'Orders' }],
  ['a name that ends in a dot', { name: 'orders.' }],
  ['a negative delay', { retryDelaysSeconds: [-1] }],
  ['half a second', { retryDelaysSeconds: [0.5] }],
])('refuses %s', (_case, changes) => {
  expect(() => defineJob(job(changes))).toThrow(RangeError)
})

test('returns what it was given', () => {
  const given = job({})
  expect(defineJob(given)).toBe(given)
})

test('a job has a failure job if and only if it has onFailed', () => {
  expect(failureJobOf(job({}))).toBeUndefined()
  expect(failureJobOf(job({ onFailed: async () => undefined }))?.name).toBe('orders.expire.failed')
})
