import { AppError } from '@merx/errors/app-error'
import { createLogger } from '@merx/telemetry/logger'
import { createJobRunner } from './job-runner.ts'
import type { Step } from './job-runner.ts'

const log = createLogger({ service: 'test', level: 'silent' })
const runner = (steps: readonly Step[], concurrency = 1) =>
  createJobRunner({ steps, concurrency, pollMs: 60_000, log })

/** Resolves when the condition holds; the timeout of the test is the deadline. */
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

test('does what there is to do, of every kind, until there is nothing', async () => {
  const done: string[] = []
  const of = (name: string, count: number): Step => {
    let left = count
    return () => {
      if (left === 0) return Promise.resolve(false)
      left -= 1
      done.push(name)
      return Promise.resolve(true)
    }
  }
  await runner([of('a', 3), of('b', 1)]).runUntilIdle()
  expect(done).toEqual(['a', 'b', 'a', 'a'])
})

test('works only once started, and again when woken', async () => {
  let work = 0
  let seen = 0
  const jobs = runner([
    () => {
      seen += 1
      if (work === 0) return Promise.resolve(false)
      work -= 1
      return Promise.resolve(true)
    },
  ])
  expect(seen).toBe(0)
  jobs.start()
  await until(() => seen === 1)
  work = 2
  jobs.wake()
  await until(() => work === 0)
  await jobs.close()
})

test('does no more steps at once than it may', async () => {
  let running = 0
  let most = 0
  let left = 20
  const step: Step = async () => {
    if (left === 0) return false
    left -= 1
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return true
  }
  const jobs = runner([step], 3)
  jobs.start()
  jobs.start()
  await until(() => left === 0 && running === 0)
  await jobs.close()
  expect(most).toBe(3)
})

test('closes after the step under way, and begins no other', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let steps = 0
  const jobs = runner([
    () => {
      steps += 1
      return promise
    },
  ])
  jobs.start()
  await until(() => steps === 1)
  let isClosed = false
  const closing = jobs.close().then(() => {
    isClosed = true
  })
  await new Promise((tick) => setImmediate(tick))
  expect(isClosed).toBe(false)
  resolve(true)
  await closing
  expect(steps).toBe(1)
})

test.each([
  ['the database is away', new AppError('service_unavailable')],
  ['a step has a fault', new TypeError('a fault')],
])('goes on when %s', async (_case, error) => {
  let calls = 0
  const jobs = runner([
    () => {
      calls += 1
      return calls === 1 ? Promise.reject(error) : Promise.resolve(false)
    },
  ])
  jobs.start()
  await until(() => calls === 1)
  await until(() => {
    jobs.wake()
    return calls > 1
  })
  await jobs.close()
})
