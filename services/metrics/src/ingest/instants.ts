/** Computes days of the week and durations from instants such as `2022-06-27T06:01:32.361Z`. Pure. */

const SECOND_MS = 1_000
const SUNDAY = 7

/** Monday is 1, Sunday 7 (ISO 8601), in UTC. */
export const dayOfWeek = (instant: string | null): number | null =>
  instant === null ? null : new Date(instant).getUTCDay() || SUNDAY

/** Whole seconds from one instant to the other, rounded; null when either is missing. */
export const secondsBetween = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : Math.round((Date.parse(to) - Date.parse(from)) / SECOND_MS)
