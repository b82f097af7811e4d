/** When people shop: growth over the years, seasons, weekdays and hours. */
import type { Random } from './random.ts'

const DAY_MS = 86_400_000
export const DEMO_DAYS = 3 * 365

/** January to December: sales after Christmas, summer sales, Black Friday and presents. */
const MONTHS = [0.95, 0.8, 0.9, 0.95, 1, 1, 1.05, 0.8, 0.95, 1.05, 1.45, 1.6]
/** Sunday to Saturday. */
const WEEKDAYS = [1.15, 1.05, 0.95, 0.95, 0.95, 0.9, 1]
/** By hour, UTC. */
const HOURS = [2, 1, 1, 1, 1, 2, 4, 6, 8, 9, 9, 9, 10, 9, 8, 8, 9, 10, 12, 14, 15, 13, 9, 5]

const weightOfDay = (day: Date, index: number): number => {
  const isBlackWeek = day.getUTCMonth() === 10 && day.getUTCDate() >= 22 && day.getUTCDate() <= 29
  const growth = 1 + (0.9 * index) / DEMO_DAYS
  const month = MONTHS[day.getUTCMonth()] ?? 1
  const weekday = WEEKDAYS[day.getUTCDay()] ?? 1
  return growth * month * weekday * (isBlackWeek ? 2.2 : 1)
}

/** How many of `count` orders fall on each day up to `now`, the oldest first; they add up to `count`. */
export const ordersPerDay = (
  count: number,
  now: Date,
): readonly { readonly day: Date; readonly orders: number }[] => {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const days = Array.from(
    { length: DEMO_DAYS },
    (_, index) => new Date(today - (DEMO_DAYS - 1 - index) * DAY_MS),
  )
  const weights = days.map(weightOfDay)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let reached = 0
  let given = 0
  return days.map((day, index) => {
    reached += weights[index] ?? 0
    // Rounding the running total, not each day, keeps the sum exact.
    const upTo = index === DEMO_DAYS - 1 ? count : Math.round((count * reached) / sum)
    const orders = upTo - given
    given = upTo
    return { day, orders }
  })
}

const HOUR_WEIGHTS = HOURS.map((weight, hour) => [hour, weight] as const)

/** The instants of a day's orders, ascending, none after `now`. */
export const instantsOfDay = (random: Random, day: Date, orders: number, now: Date): readonly Date[] => {
  const isToday = day.getTime() + DAY_MS > now.getTime()
  const pastMs = now.getTime() - day.getTime()
  const times = Array.from({ length: orders }, () => {
    const time = random.weighted(HOUR_WEIGHTS) * 3_600_000 + random.between(0, 3_599_999)
    return day.getTime() + (isToday ? Math.floor((time / DAY_MS) * pastMs) : time)
  })
  return times.sort((a, b) => a - b).map((time) => new Date(time))
}
