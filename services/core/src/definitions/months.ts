/** The same day and time of another month, or its last day when it is shorter. */
export const addMonths = (date: Date, months: number): Date => {
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + months
  const daysOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const moved = new Date(date)
  moved.setUTCFullYear(year, month, Math.min(date.getUTCDate(), daysOfMonth))
  return moved
}
