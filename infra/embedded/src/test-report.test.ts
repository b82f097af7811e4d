import { renderLastLine, sumRuns } from './test-report.ts'
import type { JestResult } from './test-report.ts'

const result = (counts: Partial<JestResult>): JestResult => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numRuntimeErrorTestSuites: 0,
  testResults: [],
  ...counts,
})

const file = (name: string, seconds: number, statuses: readonly string[]) => ({
  name,
  status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
  startTime: 1_000,
  endTime: 1_000 + seconds * 1_000,
  assertionResults: statuses.map((status, at) => ({ status, fullName: `test ${at}` })),
})

describe('the sum of the test runs', () => {
  it('adds up and is good when everything passed', () => {
    const report = sumRuns([
      { exitCode: 0, result: result({ numPassedTests: 3 }) },
      { exitCode: 0, result: result({ numPassedTests: 4, numPendingTests: 1 }) },
    ])
    expect(report).toMatchObject({ passed: 7, failed: 0, skipped: 1, isGood: true })
    expect(renderLastLine(report)).toBe('7 passed, 0 failed')
  })

  it('is bad when nothing ran', () => {
    expect(sumRuns([{ exitCode: 0, result: result({}) }]).isGood).toBe(false)
  })

  it('counts a suite that did not load as one failure', () => {
    const report = sumRuns([
      { exitCode: 1, result: result({ numPassedTests: 3, numRuntimeErrorTestSuites: 1 }) },
    ])
    expect(report).toMatchObject({ passed: 3, failed: 1, isGood: false })
  })

  it('counts a run that broke down without a failed test as one failure', () => {
    const runs = [
      { exitCode: 0, result: result({ numPassedTests: 3 }) },
      { exitCode: 1, result: undefined },
      { exitCode: 1, result: result({ numPassedTests: 1 }) },
    ]
    expect(sumRuns(runs)).toMatchObject({ passed: 4, failed: 2, isGood: false })
  })

  it('names the suites that have skipped tests', () => {
    const testResults = [file('/a.test.ts', 1, ['passed', 'pending']), file('/b.test.ts', 1, ['passed'])]
    const report = sumRuns([
      { exitCode: 0, result: result({ numPassedTests: 2, numPendingTests: 1, testResults }) },
    ])
    expect(report.suitesWithSkipped).toEqual(['/a.test.ts'])
  })

  it('names failed tests, and the slowest files first', () => {
    const [first, second] = [
      [file('/a.test.ts', 1, ['failed', 'passed'])],
      [file('/b.test.ts', 3.5, []), file('/c.test.ts', 2, ['passed', 'failed'])],
    ]
    const report = sumRuns([
      { exitCode: 1, result: result({ numFailedTests: 1, testResults: first }) },
      { exitCode: 1, result: result({ numFailedTests: 1, testResults: second }) },
    ])
    expect(report.failures).toEqual([
      { file: '/a.test.ts', test: 'test 0' },
      { file: '/b.test.ts', test: 'the file did not run' },
      { file: '/c.test.ts', test: 'test 1' },
    ])
    expect(report.slowest).toEqual([
      { file: '/b.test.ts', seconds: 3.5 },
      { file: '/c.test.ts', seconds: 2 },
      { file: '/a.test.ts', seconds: 1 },
    ])
  })
})
