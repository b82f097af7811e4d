/** Sums the JSON reports of several Jest runs. */

/** The part of Jest's `--json` output that counts. */
export interface JestResult {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  /** Suites that did not even load; they hold no test, so each counts as one failure. */
  readonly numRuntimeErrorTestSuites: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Milliseconds since 1970. */
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** One Jest run: its exit code, and its result unless it broke down before writing one. */
export interface JestRun {
  readonly exitCode: number
  readonly result: JestResult | undefined
}

export interface TestReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Files with at least one test that did not run. */
  readonly suitesWithSkipped: readonly string[]
  /** Each failed test by its file and its name. */
  readonly failures: readonly { readonly file: string; readonly test: string }[]
  /** The files that took longest, the slowest first. */
  readonly slowest: readonly { readonly file: string; readonly seconds: number }[]
  readonly isGood: boolean
}

const SLOWEST = 20

/** Nothing passed, a failed test, a broken suite or a bad exit code: each alone makes the report bad. */
export const sumRuns = (runs: readonly JestRun[]): TestReport => {
  const results = runs.flatMap(({ result }) => (result === undefined ? [] : [result]))
  const sum = (count: (result: JestResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0)
  const passed = sum((result) => result.numPassedTests)
  const counted = sum((result) => result.numFailedTests + result.numRuntimeErrorTestSuites)
  // A run can break without a failed test: a server that does not start, a coverage limit, a crash.
  const broken = runs.filter(({ exitCode, result }) => exitCode !== 0 && failuresOf(result) === 0).length
  const failed = counted + broken
  return {
    passed,
    failed,
    skipped: sum((result) => result.numPendingTests),
    suitesWithSkipped: results.flatMap(suitesWithSkipped),
    failures: results.flatMap(failedTests),
    slowest: results
      .flatMap(({ testResults }) => testResults)
      .map(({ name: file, startTime, endTime }) => ({ file, seconds: (endTime - startTime) / 1000 }))
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST),
    isGood: failed === 0 && passed > 0,
  }
}

const failuresOf = (result: JestResult | undefined): number =>
  result === undefined ? 0 : result.numFailedTests + result.numRuntimeErrorTestSuites

const suitesWithSkipped = (result: JestResult): string[] =>
  result.testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'pending'))
    .map(({ name }) => name)

const failedTests = ({ testResults }: JestResult): TestReport['failures'] =>
  testResults.flatMap(({ name: file, status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [{ file, test: 'the file did not run' }]
    return failed.map(({ fullName: test }) => ({ file, test }))
  })

/** The last line of a test run; scripts read it. */
export const renderLastLine = ({ passed, failed }: Pick<TestReport, 'passed' | 'failed'>): string =>
  `${passed} passed, ${failed} failed`
