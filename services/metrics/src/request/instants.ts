/** Instants of the body: `YYYY-MM-DDTHH:MM:SSZ`, UTC; a fraction of up to three digits is allowed (metrics.md 3.3). */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

export const instantRule = 'must be a UTC timestamp such as 2022-01-31T00:00:00Z'

/** Undefined when the text is no such instant, an impossible date (31 November) included. */
export const parseInstant = (value: unknown): Date | undefined => {
  if (typeof value !== 'string' || !INSTANT.test(value)) return undefined
  const instant = new Date(value)
  if (Number.isNaN(instant.getTime())) return undefined
  return instant.toISOString().startsWith(value.slice(0, 19)) ? instant : undefined
}

const SECOND_MS = 1_000

/** The last instant that the text names: without a fraction it names a whole second, as the store keeps milliseconds. */
export const parseLastInstant = (value: unknown): Date | undefined => {
  const instant = parseInstant(value)
  if (instant === undefined || String(value).includes('.')) return instant
  return new Date(instant.getTime() + SECOND_MS - 1)
}
