/** The time that a question is about, the time before it, and its intervals; all of it UTC, as in metrics. */
import type { Question } from './question.ts'

const DAY_MS = 86_400_000

export interface Period {
  readonly from: Date
  readonly to: Date
}

const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS) * DAY_MS

/** The last days until now, or whole days from one to another. */
export const periodOf = ({ days, from, to }: Pick<Question, 'days' | 'from' | 'to'>, now: Date): Period =>
  from !== undefined && to !== undefined
    ? { from: new Date(`${from}T00:00:00Z`), to: new Date(`${to}T23:59:59Z`) }
    : { from: new Date(dayOf(now) - (days - 1) * DAY_MS), to: now }

/** As many days earlier; of a period until now the same hours of its last day. */
export const periodBefore = ({ from, to }: Period): Period => {
  const shift = (Math.floor((to.getTime() - from.getTime()) / DAY_MS) + 1) * DAY_MS
  return { from: new Date(from.getTime() - shift), to: new Date(to.getTime() - shift) }
}

/** As metrics takes it: whole seconds. */
export const secondsOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

/** When the interval that holds a time begins; weeks on Monday. */
export const startOfInterval = (time: Date, interval: string): Date => {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  switch (interval) {
    case 'hour':
      return new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000)
    case 'week':
      return new Date(dayOf(time) - ((time.getUTCDay() + 6) % 7) * DAY_MS)
    case 'month':
      return new Date(Date.UTC(year, month))
    case 'year':
      return new Date(Date.UTC(year, 0))
    default:
      return new Date(dayOf(time))
  }
}

export const nextInterval = (start: Date, interval: string): Date => {
  switch (interval) {
    case 'hour':
      return new Date(start.getTime() + 3_600_000)
    case 'week':
      return new Date(start.getTime() + 7 * DAY_MS)
    case 'month':
      return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
    case 'year':
      return new Date(Date.UTC(start.getUTCFullYear() + 1, 0))
    default:
      return new Date(start.getTime() + DAY_MS)
  }
}

/** More is no chart any more: hours of a year are 8,760. */
const INTERVALS_MAX = 10_000

/** The beginning of each interval of a period, as metrics writes them. */
export const intervalsOf = ({ from, to }: Period, interval: string): readonly string[] => {
  const starts: string[] = []
  for (
    let start = startOfInterval(from, interval);
    start <= to && starts.length < INTERVALS_MAX;
    start = nextInterval(start, interval)
  )
    starts.push(start.toISOString())
  return starts
}

const FINER: Readonly<Record<string, string>> = { year: 'month', month: 'day', week: 'day', day: 'hour' }

/** The same question about one interval only, in finer ones. Hours are the finest. */
export const zoomInto = (
  start: string,
  interval: string,
): { readonly from: string; readonly to: string; readonly interval: string } | undefined => {
  const finer = FINER[interval]
  if (finer === undefined) return undefined
  const last = new Date(nextInterval(new Date(start), interval).getTime() - 1)
  return { from: start.slice(0, 10), to: last.toISOString().slice(0, 10), interval: finer }
}
