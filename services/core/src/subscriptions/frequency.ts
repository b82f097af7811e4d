/** How often a subscription runs: a named interval, or a crontab. All times are UTC (docs/adr/0116). */
import { Cron } from 'croner'
import { LRUCache } from 'lru-cache'
import { addMonths } from '../definitions/months.ts'

/** Counted from the anchor: hours of a fixed length, months by the calendar. */
type Interval = { readonly hours: number } | { readonly months: number }

const INTERVALS: Readonly<Record<string, Interval>> = {
  hourly: { hours: 1 },
  daily: { hours: 24 },
  weekly: { hours: 168 },
  monthly: { months: 1 },
  'two-month': { months: 2 },
  'three-month': { months: 3 },
  'four-month': { months: 4 },
  'six-month': { months: 6 },
  yearly: { months: 12 },
}

/** Both spellings are in use (commerce.md 1.4): two-month and two-months. */
const PLURAL = /^(two|three|four|six)-months$/

export const INTERVAL_NAMES: readonly string[] = Object.keys(INTERVALS)

const FIELDS = 'minute, hour, day of the month, month and day of the week'

const HOUR_MS = 3_600_000

/** The one form in which two spellings of the same frequency are compared. */
export const canonicalFrequency = (frequency: string): string =>
  frequency.trim().replace(PLURAL, '$1-month').replaceAll(/\s+/g, ' ')

/** Why a text is no frequency; undefined when it is one. */
export const frequencyProblem = (frequency: string): string | undefined => {
  const canonical = canonicalFrequency(frequency)
  if (Object.hasOwn(INTERVALS, canonical)) return undefined
  const fields = canonical.split(' ')
  if (fields.length === 1)
    return `must be one of ${INTERVAL_NAMES.join(', ')}, or a crontab such as "0 8 1 * *"`
  if (fields.length !== 5) return `is a crontab of ${fields.length} fields; it has five: ${FIELDS}`
  if (!/^\d{1,2}$/.test(fields[0] ?? ''))
    return 'is a crontab that may run more than once in an hour, which is the shortest interval; its minute must be one number from 0 to 59'
  const cron = readCrontab(canonical)
  if (cron === undefined) return `is no valid crontab of ${FIELDS}`
  return cron.nextRun(new Date(0)) === null ? 'is a crontab of a time that never comes' : undefined
}

const read = new LRUCache<string, { readonly cron: Cron | undefined }>({ max: 1_000 })

const readCrontab = (crontab: string): Cron | undefined => {
  const known = read.get(crontab)
  if (known !== undefined) return known.cron
  const cron = parseCrontab(crontab)
  read.set(crontab, { cron })
  return cron
}

const parseCrontab = (crontab: string): Cron | undefined => {
  try {
    return new Cron(crontab, { timezone: 'UTC', mode: '5-part', paused: true })
  } catch {
    // The library throws for what it cannot read, and for nothing else.
    return undefined
  }
}

/**
 * The first time after `after`. Intervals count from the anchor and not from the last run, so that what is monthly from
 * 31 January is on 28 February and again on 31 March; the anchor itself is the first time. Undefined when a crontab has
 * no more. Throws when `frequency` is none: it was validated when it was written.
 */
export const nextRunAfter = (frequency: string, anchor: Date, after: Date): Date | undefined => {
  if (after < anchor && !isCrontab(frequency)) return anchor
  const canonical = canonicalFrequency(frequency)
  const interval = INTERVALS[canonical]
  if (interval !== undefined)
    return 'hours' in interval ? afterHours(interval, anchor, after) : afterMonths(interval, anchor, after)
  const cron = readCrontab(canonical)
  if (cron === undefined) throw new RangeError(`"${frequency}" is no frequency`)
  // The anchor itself may be a time of the crontab.
  const from = after < anchor ? new Date(anchor.getTime() - 1) : after
  return cron.nextRun(from) ?? undefined
}

export const isCrontab = (frequency: string): boolean =>
  !Object.hasOwn(INTERVALS, canonicalFrequency(frequency))

const afterHours = ({ hours }: { readonly hours: number }, anchor: Date, after: Date): Date => {
  const length = hours * HOUR_MS
  const count = Math.floor((after.getTime() - anchor.getTime()) / length) + 1
  return new Date(anchor.getTime() + count * length)
}

const afterMonths = ({ months }: { readonly months: number }, anchor: Date, after: Date): Date => {
  const passed =
    (after.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + after.getUTCMonth() - anchor.getUTCMonth()
  const count = Math.floor(passed / months)
  const candidate = addMonths(anchor, count * months)
  return candidate > after ? candidate : addMonths(anchor, (count + 1) * months)
}
