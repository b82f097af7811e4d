import { describeMachine } from './machine.ts'
import { renderLoadSection, type StoredLoad } from './present-load-page.ts'

const kept = (at: string, profile: 'steady' | 'soak', found: string): StoredLoad => ({
  service: 'core',
  summary: 'A shop at work.',
  machine: describeMachine(new Date(at)),
  capacity: { seconds: 6, requests: 600, requestsPerSecond: 100, p50Ms: 1, p99Ms: 9, maxMs: 9, failures: 0 },
  mix: [],
  runs: [
    {
      name: profile,
      summary: 'Half of the capacity.',
      checks: [
        { name: 'failures', found, isMet: true },
        { name: 'slowdown', found: '4', isMet: false },
      ],
      timeline: {
        seconds: [{ second: 0, offered: 50, answered: 49, failures: 1, p50Ms: 1, p99Ms: 12 }],
        operations: [],
      },
    },
  ],
})

describe('the page of load results', () => {
  it('has nothing to say without a result', () => {
    expect(renderLoadSection([])).toBeUndefined()
  })

  it('shows the last run of each profile with all its checks', () => {
    const section = renderLoadSection([
      kept('2026-01-01T10:00:00Z', 'steady', 'an old one'),
      kept('2026-01-03T10:00:00Z', 'steady', 'the last one'),
      kept('2026-01-02T10:00:00Z', 'soak', 'another profile'),
    ])
    expect(section).toContain('## core')
    expect(section).not.toContain('an old one')
    expect(section).toMatch(
      /\| steady: Half of the capacity\. \| 2026-01-03 10:00 \| 50 \| 49 \| 1\.0 \| 12\.0 \| failures \| the last one \| met \|/,
    )
    expect(section).toMatch(/\| {2}\| .*slowdown \| 4 \| MISSED \|/)
    expect(section).toContain('another profile')
  })
})
