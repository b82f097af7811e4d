import type { Row } from './engine/engine.ts'

/** The date of a row in milliseconds, of the text that the engine gives in UTC; null when it has none. */
export const instantOf = (row: Row, column: string): number | null => {
  const value = row[column]
  return typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}Z`) : null
}
