import { createRecorder, summarize } from './timeline.ts'

const recordTwoSeconds = () => {
  const recorder = createRecorder()
  recorder.offer(1, 'read')
  recorder.answer(1, 'read', 20)
  recorder.offer(0, 'read')
  recorder.answer(0, 'read', 10)
  recorder.offer(0, 'write')
  recorder.fail(0, 'write', 'status 500')
  recorder.offer(0, 'write')
  recorder.fail(0, 'write', 'status 503')
  recorder.memory(0, { rssBytes: 7, lagP99Ms: 2 })
  return recorder.take()
}

describe('a timeline', () => {
  it('counts in the second a request was due, in order', () => {
    expect(recordTwoSeconds().seconds).toMatchObject([
      { second: 0, offered: 3, answered: 1, failures: 2, rssBytes: 7, lagP99Ms: 2 },
      { second: 1, offered: 1, answered: 1, failures: 0 },
    ])
  })

  it('counts by operation, and keeps the first failure in words', () => {
    const { operations, failure } = recordTwoSeconds()
    expect(operations).toMatchObject([
      { name: 'read', answered: 2, failures: 0 },
      { name: 'write', answered: 0, failures: 2 },
    ])
    expect(failure).toBe('write: status 500')
  })

  it('is summed up over some of its seconds', () => {
    const { seconds } = recordTwoSeconds()
    expect(summarize(seconds)).toMatchObject({ offered: 4, answered: 2, failures: 2, perSecond: 2 })
    expect(summarize(seconds.slice(1))).toMatchObject({ offered: 1, p99Ms: expect.closeTo(20, 0) as number })
    expect(summarize([])).toMatchObject({ offered: 0, perSecond: 0, p99Ms: 0 })
  })
})
