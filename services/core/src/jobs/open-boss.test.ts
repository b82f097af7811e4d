import { Writable } from 'node:stream'
import { createLogger } from '@merx/telemetry/logger'
import { logQueueError } from './open-boss.ts'

const logged = (error: unknown): { readonly level: string; readonly msg: string } => {
  const lines: string[] = []
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  logQueueError(createLogger({ service: 'try', level: 'info', destination }), error)
  return JSON.parse(lines.join('')) as { readonly level: string; readonly msg: string }
}

test.each([
  ['an error of pg', new Error('timeout exceeded when trying to connect')],
  [
    "a worker's copy of one, which is no Error",
    { message: 'timeout exceeded when trying to connect (Queue: a, Worker: b)', stack: '', queue: 'a' },
  ],
  ["a worker's copy of an error of PostgreSQL", { message: 'ending (Queue: a, Worker: b)', code: '57P01' }],
])('a database that is unavailable is a warning: %s', (_name, error) => {
  expect(logged(error)).toMatchObject({ level: 'warn', msg: 'the job queue waits for the database' })
})

test('anything else is an error, with its message', () => {
  expect(logged({ message: 'no such column (Queue: a, Worker: b)', code: '42703' })).toMatchObject({
    level: 'error',
    msg: 'the job queue failed',
    err: { message: 'no such column (Queue: a, Worker: b)' },
  })
})
