/** Formats amounts and instants as text for the engine. Pure; nothing is computed in binary fractions. */

/** `2022-06-27T06:01:32.361Z` → `2022-06-27 06:01:32.361`. */
export const toInstant = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, -1)}`

/** 1234 with 2 digits → `12.34`; -5 with 3 digits → `-0.005`. */
export const toDecimal = (minorUnits: number, digits: number): string => {
  if (digits === 0) return String(minorUnits)
  const units = Math.abs(minorUnits)
  const unit = 10 ** digits
  const rest = units % unit // exact, and so is what is left without it
  const sign = minorUnits < 0 ? '-' : ''
  return `${sign}${(units - rest) / unit}.${String(rest).padStart(digits, '0')}`
}
