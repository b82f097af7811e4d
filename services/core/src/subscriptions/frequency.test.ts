import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { addMonths } from '../definitions/months.ts'
import { canonicalFrequency, frequencyProblem, INTERVAL_NAMES, nextRunAfter } from './frequency.ts'

const at = (text: string): Date => new Date(text)

/** The next runs, one after the other. */
const runsOf = (frequency: string, anchor: string, count: number): readonly string[] => {
  const runs: string[] = []
  let last = at(anchor)
  for (let left = count; left > 0; left -= 1) {
    const next = nextRunAfter(frequency, at(anchor), last)
    if (next === undefined) break
    runs.push(next.toISOString().slice(0, 16))
    last = next
  }
  return runs
}

describe('the end of a month', () => {
  it('is kept by counting from the anchor', () => {
    expect(runsOf('monthly', '2026-01-31T10:30:00Z', 4)).toEqual([
      '2026-02-28T10:30',
      '2026-03-31T10:30',
      '2026-04-30T10:30',
      '2026-05-31T10:30',
    ])
  })

  it('is 29 February in a leap year', () => {
    expect(runsOf('monthly', '2028-01-31T00:00:00Z', 2)).toEqual(['2028-02-29T00:00', '2028-03-31T00:00'])
    expect(runsOf('three-month', '2027-11-30T00:00:00Z', 2)).toEqual(['2028-02-29T00:00', '2028-05-30T00:00'])
  })

  it('of a leap day is 28 February until the next one', () => {
    expect(runsOf('yearly', '2024-02-29T08:00:00Z', 4)).toEqual([
      '2025-02-28T08:00',
      '2026-02-28T08:00',
      '2027-02-28T08:00',
      '2028-02-29T08:00',
    ])
  })
})

it('runs at the same time of the day in UTC when clocks of a country are put forward or back', () => {
  // Europe: 29 March and 25 October 2026; America: 8 March and 1 November 2026.
  expect(runsOf('daily', '2026-03-28T01:30:00Z', 2)).toEqual(['2026-03-29T01:30', '2026-03-30T01:30'])
  expect(runsOf('weekly', '2026-10-24T00:30:00Z', 2)).toEqual(['2026-10-31T00:30', '2026-11-07T00:30'])
  expect(runsOf('30 2 * * *', '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T02:30', '2026-03-30T02:30'])
  expect(runsOf('30 2 * * *', '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T02:30', '2026-10-26T02:30'])
})

describe('a frequency that is written', () => {
  it.each([
    ...INTERVAL_NAMES,
    'two-months',
    'six-months',
    '0 8 * * *',
    '59 23 31 12 *',
    '0 0 29 2 *',
    ' 0  8 1 * * ',
  ])('may be %p', (frequency) => {
    expect(frequencyProblem(frequency)).toBeUndefined()
  })

  it.each([
    ['often', 'must be one of hourly'],
    ['', 'must be one of hourly'],
    ['five-month', 'must be one of hourly'],
    ['toString', 'must be one of hourly'],
    ['* * * * *', 'more than once in an hour'],
    ['*/30 * * * *', 'more than once in an hour'],
    ['0,30 8 * * *', 'more than once in an hour'],
    ['0-5 8 * * *', 'more than once in an hour'],
    ['0 0 8 * * *', '6 fields'],
    ['0 8 * *', '4 fields'],
    ['60 8 * * *', 'is no valid crontab'],
    ['0 24 * * *', 'is no valid crontab'],
    ['0 8 32 * *', 'is no valid crontab'],
    ['0 8 * 13 *', 'is no valid crontab'],
    ['0 8 * * MOO', 'is no valid crontab'],
    ['0 0 31 2 *', 'never comes'],
  ])('is not %p', (frequency, problem) => {
    expect(frequencyProblem(frequency)).toContain(problem)
  })

  it('is the same in both spellings', () => {
    expect(canonicalFrequency('two-months')).toBe(canonicalFrequency('two-month'))
    expect(canonicalFrequency('0  8 1 * *')).toBe('0 8 1 * *')
  })
})

const instant = (from = '2000-01-01T00:00:00Z', to = '2060-01-01T00:00:00Z') =>
  fc.date({ min: at(from), max: at(to), noInvalidDate: true })

/** A month of the Gregorian calendar has so many days. */
const daysIn = (year: number, month: number): number => {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0
}

const MONTHS: Readonly<Record<string, number>> = {
  monthly: 1,
  'two-month': 2,
  'three-month': 3,
  'four-month': 4,
  'six-month': 6,
  yearly: 12,
}

/** Counts month by month, as one would on paper. */
const naiveMonths = (months: number, anchor: Date, after: Date): Date => {
  let year = anchor.getUTCFullYear()
  let month = anchor.getUTCMonth()
  for (;;) {
    const day = Math.min(anchor.getUTCDate(), daysIn(year, month))
    const time = anchor.getTime() % 86_400_000
    const candidate = new Date(Date.UTC(year, month, day) + (time < 0 ? time + 86_400_000 : time))
    if (candidate > after) return candidate
    for (let step = 0; step < months; step += 1) {
      month += 1
      if (month === 12) [year, month] = [year + 1, 0]
    }
  }
}

describe('the next run', () => {
  const intervals = fc.constantFrom(...INTERVAL_NAMES)

  it('is later than what it is after, and nothing is between the two', () => {
    fc.assert(
      fc.property(intervals, instant(), instant(), (frequency, anchor, after) => {
        const next = nextRunAfter(frequency, anchor, after)
        if (next === undefined) throw new Error('an interval has no end')
        expect(next.getTime()).toBeGreaterThan(after.getTime())
        // From just before it, it is found again; from itself it is not.
        expect(nextRunAfter(frequency, anchor, new Date(next.getTime() - 1))).toEqual(next)
        expect(nextRunAfter(frequency, anchor, next)?.getTime()).toBeGreaterThan(next.getTime())
      }),
    )
  })

  it('does not depend on what ran before it: a service that was down goes on in the same rhythm', () => {
    fc.assert(
      fc.property(
        intervals,
        instant(),
        fc.array(fc.nat(400), { maxLength: 5 }),
        (frequency, anchor, days) => {
          const after = days.reduce((date, more) => new Date(date.getTime() + more * 86_400_000), anchor)
          const direct = nextRunAfter(frequency, anchor, after)
          let walked = anchor
          while (walked <= after) walked = nextRunAfter(frequency, anchor, walked) ?? after
          expect(walked).toEqual(direct)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('of months is what a count on paper gives', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(MONTHS)),
        instant(),
        instant(),
        (frequency, anchor, after) => {
          const expected = naiveMonths(MONTHS[frequency] ?? 1, anchor, after)
          expect(nextRunAfter(frequency, anchor, after)).toEqual(expected)
        },
      ),
    )
  })

  it('is on the day of the anchor, or the last day of a shorter month', () => {
    fc.assert(
      fc.property(instant(), fc.integer({ min: 0, max: 600 }), (anchor, months) => {
        const moved = addMonths(anchor, months)
        const last = daysIn(moved.getUTCFullYear(), moved.getUTCMonth())
        expect(moved.getUTCDate()).toBe(Math.min(anchor.getUTCDate(), last))
        expect(moved.toISOString().slice(11)).toBe(anchor.toISOString().slice(11))
      }),
    )
  })

  it('is the same whatever the time zone of the process', () => {
    const program = `
      const { nextRunAfter } = await import(process.argv[1])
      const runs = ['hourly', 'daily', 'monthly', 'yearly', '30 2 * * *', '0 0 L * *'].map((frequency) => {
        const dates = [new Date('2026-03-28T23:45:00Z')]
        for (let n = 0; n < 12; n += 1) dates.push(nextRunAfter(frequency, dates[0], dates.at(-1)))
        return dates
      })
      console.log(JSON.stringify([new Date(0).getTimezoneOffset() === 0, runs]))`
    const seen = ['UTC', 'Europe/Rome', 'America/New_York', 'Australia/Lord_Howe'].map((TZ) => {
      const module = new URL('frequency.ts', import.meta.url).href
      const options = { env: { ...process.env, TZ }, encoding: 'utf8' } as const
      const flags = ['--no-warnings', '--input-type=module', '--eval', program, module]
      return JSON.parse(execFileSync(process.execPath, flags, options)) as readonly [boolean, unknown]
    })
    expect(seen.map(([isUtc]) => isUtc)).toEqual([true, false, false, false])
    expect(new Set(seen.map(([, runs]) => JSON.stringify(runs))).size).toBe(1)
  })
})

interface Field {
  readonly text: string
  readonly has: (value: number) => boolean
}

const field = (min: number, max: number): fc.Arbitrary<Field> => {
  const number = fc.integer({ min, max })
  return fc.oneof(
    fc.constant<Field>({ text: '*', has: () => true }),
    fc.uniqueArray(number, { minLength: 1, maxLength: 4 }).map((list): Field => ({
      text: list.join(','),
      has: (value) => list.includes(value),
    })),
    fc.tuple(number, number).map(([a, b]): Field => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      return { text: `${low}-${high}`, has: (value) => value >= low && value <= high }
    }),
    fc.integer({ min: 1, max: max - min }).map((step): Field => ({
      text: `*/${step}`,
      has: (value) => (value - min) % step === 0,
    })),
  )
}

/** Looks at hour after hour. Days of month and week are alternatives when both are restricted, as in crontab(5). */
const naiveCrontab = (minute: number, fields: readonly Field[], after: Date): Date | undefined => {
  const [hours, days, months, weekdays] = fields
  if (hours === undefined || days === undefined || months === undefined || weekdays === undefined)
    throw new Error('a crontab has five fields')
  const start = Math.floor(after.getTime() / 3_600_000) * 3_600_000 + minute * 60_000
  for (let time = start; time < start + 9 * 366 * 86_400_000; time += 3_600_000) {
    const date = new Date(time)
    if (time <= after.getTime() || !hours.has(date.getUTCHours())) continue
    if (!months.has(date.getUTCMonth() + 1)) continue
    const isDay = days.has(date.getUTCDate())
    const isWeekday = weekdays.has(date.getUTCDay())
    const isEither = days.text !== '*' && weekdays.text !== '*'
    if (isEither ? isDay || isWeekday : isDay && isWeekday) return date
  }
  return undefined
}

it('of a crontab is what a look at every hour finds', () => {
  const fields = fc.tuple(field(0, 23), field(1, 31), field(1, 12), field(0, 6))
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 59 }),
      fields,
      instant('2024-01-01T00:00:00Z'),
      (minute, each, after) => {
        const crontab = [String(minute), ...each.map(({ text }) => text)].join(' ')
        const expected = naiveCrontab(minute, each, after)
        fc.pre(expected !== undefined)
        expect(frequencyProblem(crontab)).toBeUndefined()
        expect([crontab, nextRunAfter(crontab, at('2000-01-01T00:00:00Z'), after)]).toEqual([
          crontab,
          expected,
        ])
      },
    ),
    { numRuns: 200 },
  )
})

it('of a crontab begins with the anchor, when that is one of its times', () => {
  const anchor = at('2026-11-01T08:00:00Z')
  expect(nextRunAfter('0 8 1 * *', anchor, at('2026-10-01T00:00:00Z'))).toEqual(anchor)
  expect(nextRunAfter('0 8 1 * *', anchor, anchor)).toEqual(at('2026-12-01T08:00:00Z'))
})
