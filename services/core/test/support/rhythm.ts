/** When a subscription must run, found by looking at one day after the other. All in UTC (docs/adr/0116). */

const DAY_MS = 86_400_000

/** Whether a day is one of the rhythm, for what began on the day `first`. */
type IsDay = (day: Date, first: Date) => boolean

const daysSince = (day: Date, first: Date): number => Math.round((day.getTime() - first.getTime()) / DAY_MS)

const monthsSince = (day: Date, first: Date): number =>
  (day.getUTCFullYear() - first.getUTCFullYear()) * 12 + day.getUTCMonth() - first.getUTCMonth()

const isLastOfMonth = (day: Date): boolean => new Date(day.getTime() + DAY_MS).getUTCDate() === 1

/** The same day of the month, or the last one of a month that has no such day. */
const isMonthlyDay: IsDay = (day, first) =>
  day.getUTCDate() === first.getUTCDate() || (isLastOfMonth(day) && day.getUTCDate() < first.getUTCDate())

const everyMonths =
  (count: number): IsDay =>
  (day, first) =>
    isMonthlyDay(day, first) && monthsSince(day, first) % count === 0

const INTERVALS: Readonly<Record<string, IsDay>> = {
  daily: () => true,
  weekly: (day, first) => daysSince(day, first) % 7 === 0,
  monthly: everyMonths(1),
  'three-month': everyMonths(3),
  yearly: everyMonths(12),
}

/** Crontab → its minutes of the day, and its days. */
const CRONTABS: Readonly<Record<string, readonly [minutes: number, isDay: IsDay]>> = {
  // In many countries no such hour on the last Sunday of March, and two of them on the last one of October.
  '30 2 * * 0': [2 * 60 + 30, (day) => day.getUTCDay() === 0],
  '0 0 31 * *': [0, (day) => day.getUTCDate() === 31],
  '0 8 29 2 *': [8 * 60, (day) => day.getUTCMonth() === 1 && day.getUTCDate() === 29],
}

export const FREQUENCIES: readonly string[] = [...Object.keys(INTERVALS), ...Object.keys(CRONTABS)]

/** The first time after `after` of what began at `anchor`, which is not later. */
export const nextTime = (frequency: string, anchor: number, after: number): number => {
  const first = new Date(anchor - (anchor % DAY_MS))
  const [minutes, isDay] = CRONTABS[frequency] ?? [(anchor % DAY_MS) / 60_000, INTERVALS[frequency]]
  if (isDay === undefined) throw new Error(`no rhythm ${frequency}`)
  for (let day = new Date(after - (after % DAY_MS)); ; day = new Date(day.getTime() + DAY_MS)) {
    const time = day.getTime() + minutes * 60_000
    if (time > after && isDay(day, first)) return time
  }
}
