/** Rows under headings, as a Markdown table. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const row = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`

export const renderTable = ({ columns, rows }: Table): string =>
  [row(columns), row(columns.map(() => '---')), ...rows.map(row)].join('\n')
