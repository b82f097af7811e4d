import { isResultGood } from './bench.ts'
import type { ComparedAlternative, Comparison } from './compare.ts'
import { describeMachine, machineLine } from './machine.ts'
import { renderTable } from './markdown-table.ts'
import { renderBench } from './present-bench.ts'
import { renderLoadHtml, renderLoadMarkdown } from './present-load.ts'
import type { LoadResult } from './run-load.ts'
import { spreadOf } from './spread.ts'

const machine = describeMachine(new Date('2026-01-15T12:34:56Z'))

const alternative = (name: string, ratio: number, ratioMin?: number): ComparedAlternative => {
  const some = spreadOf([1, 2, 3])
  return {
    name,
    rounds: [],
    requestsPerSecond: spreadOf([1000 * ratio]),
    p50Ms: some,
    p99Ms: some,
    cpuMsPerRequest: some,
    lagP99Ms: some,
    rssBytes: spreadOf([104_857_600]),
    ratio: spreadOf([ratio - 0.1, ratio, ratio + 0.1]),
    ...(ratioMin === undefined ? {} : { ratioMin }),
    isMet: ratioMin === undefined || ratio >= ratioMin,
  }
}

const comparisonOf = (ratio: number): Comparison => ({
  name: 'reused',
  connections: 10,
  roundSeconds: 3,
  alternatives: [alternative('bare Express', 1), alternative('merx', ratio, 0.6)],
})

const load: LoadResult = {
  capacity: {
    seconds: 6,
    requests: 600,
    requestsPerSecond: 100,
    p50Ms: 1,
    p99Ms: 9,
    maxMs: 20,
    failures: 0,
  },
  mix: [{ name: 'a <guest>', share: 1 }],
  runs: [
    {
      name: 'steady',
      summary: 'Half of the capacity.',
      checks: [{ name: 'no failures', found: '1 of 50', isMet: false }],
      timeline: {
        seconds: [
          { second: 0, offered: 50, answered: 49, failures: 1, p50Ms: 1, p99Ms: 12, rssBytes: 1_048_576 },
        ],
        operations: [{ name: 'a <guest>', answered: 49, failures: 1, p50Ms: 1, p99Ms: 12 }],
      },
    },
  ],
}

describe('a table', () => {
  it('keeps its shape whatever a cell holds', () => {
    expect(renderTable({ columns: ['a', 'b'], rows: [['x|y', 'two\nlines']] })).toBe(
      '| a | b |\n| --- | --- |\n| x\\|y | two lines |',
    )
  })
})

describe('the report of a benchmark', () => {
  const reportOf = (ratio: number): string =>
    renderBench(
      'auth/reused',
      { summary: 'What is measured.' },
      { comparisons: [comparisonOf(ratio)] },
      machine,
    )

  it('says what, where, how much, and whether it is enough', () => {
    const report = reportOf(0.7)
    expect(report).toContain('## auth/reused\n\nWhat is measured.')
    expect(report).toContain(machineLine(machine))
    expect(report).toContain(
      '| merx | 700 | 2.00 | 2.00 | 2.000 | 2.00 | 100 | 0.70 (0.60–0.80) | ≥ 0.60 met |',
    )
  })

  it('shouts when it is not', () => {
    expect(reportOf(0.5)).toContain('≥ 0.60 MISSED')
    expect(isResultGood({ comparisons: [comparisonOf(0.5)] })).toBe(false)
    expect(isResultGood({ comparisons: [comparisonOf(0.7)] })).toBe(true)
    expect(isResultGood({ checks: [{ name: 'flat', found: 'no', isMet: false }] })).toBe(false)
  })
})

describe('the report of a load test', () => {
  const head = { service: 'auth', summary: 'Auth alone.', machine }

  it('says in Markdown what was offered, answered and judged', () => {
    const report = renderLoadMarkdown(head, load)
    expect(report).toContain('| steady | 50 | 49 | 50 | 0.50 | 1.00 | 12 |')
    expect(report).toContain('| no failures | 1 of 50 | MISSED |')
  })

  it('is one page of HTML with its plots inside, its texts escaped', () => {
    const page = renderLoadHtml(head, load)
    expect(page.match(/<svg /g)).toHaveLength(3)
    expect(page).toContain('<td>a &lt;guest&gt;</td>')
    expect(page).not.toMatch(/<(script|link|img)/)
  })
})
