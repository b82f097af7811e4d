/** Results on standard output: aligned tables for people, JSON for scripts. */
import Table from 'cli-table3'

export type Cell = string | number | boolean | null | undefined | Date | readonly string[]

/** One line of a table: column → cell. All rows have the columns of the first. */
export type Row = Readonly<Record<string, Cell>>

const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

const STYLE = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }

/** Names come from outside: control characters would reach the terminal. */
const visible = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1))

const render = (cell: Cell): string => {
  if (cell === null || cell === undefined || cell === '') return '-'
  if (cell instanceof Date) return cell.toISOString().replace(/\.\d{3}Z$/, 'Z')
  if (typeof cell === 'object') return cell.length === 0 ? '-' : cell.map(visible).join(' ')
  return visible(String(cell))
}

const trimEnds = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')

export const renderTable = (rows: readonly Row[]): string => {
  const [first] = rows
  if (first === undefined) return 'none\n'
  const columns = Object.keys(first)
  const table = new Table({ head: columns.map((name) => name.toUpperCase()), chars: BARE, style: STYLE })
  table.push(...rows.map((row) => columns.map((name) => render(row[name]))))
  return `${trimEnds(table.toString())}\n`
}

/** One thing: a field a line. */
export const renderFields = (fields: Row): string => {
  const table = new Table({ chars: BARE, style: STYLE })
  table.push(...Object.entries(fields).map(([name, cell]) => [name, render(cell)]))
  return `${trimEnds(table.toString())}\n`
}

export const renderJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`
