/** Rows → CSV as in RFC 4180, by the rules of the exports of core and metrics: no text is run as a formula. */

const FORMULA = /^[=+\-@\t\r\n]/

const cellOf = (value: string | number | null): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A row that is one empty cell would be no row for readers. */
const rowOf = (cells: readonly (string | number | null)[]): string => {
  const row = cells.map(cellOf).join(',')
  return row === '' ? '""' : row
}

export const toCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${rowOf(row)}\r\n`).join('')

/** The browser saves the file. */
export const saveFile = (content: Blob, name: string): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

export const saveCsv = (rows: Parameters<typeof toCsv>[0], name: string): void =>
  saveFile(new Blob([toCsv(rows)], { type: 'text/csv' }), name)
