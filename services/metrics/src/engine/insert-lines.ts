/** Inserts many rows as text under a deduplication token: repeated after a network failure, stored once. */
import { randomUUID } from 'node:crypto'
import { fromInsertError, isNetworkFailure } from './engine-errors.ts'
import type { LineTarget } from './engine.ts'

/**
 * Sorting out replaced rows is left to merges and FINAL. A cluster acknowledges when the shards have the rows, and is read
 * where it was written, so that a deletion sees the order that it deletes. A page may hold orders of many quarters, each a
 * partition.
 */
export const WRITE_SETTINGS = [
  'async_insert = 0',
  'optimize_on_insert = 0',
  'distributed_foreground_insert = 1',
  "load_balancing = 'in_order'",
  'max_partitions_per_insert_block = 0',
] as const

/** One thread reads the text: with several the whole takes no less time, and a fifth more work. */
const PARSE_SETTINGS = ['input_format_parallel_parsing = 0'] as const

const ATTEMPTS_MAX = 3

/** The columns as they stand in a statement. */
export const quoteColumns = (columns: readonly string[]): string =>
  columns.map((column) => `\`${column}\``).join(', ')

const namesOf = ({ columns, generation }: LineTarget): string =>
  quoteColumns(generation === undefined ? columns : ['generation', ...columns])

/** Lines are lists in brackets. */
const withGeneration = (lines: readonly string[], { generation }: LineTarget): readonly string[] =>
  generation === undefined ? lines : lines.map((line) => `[${generation},${line.slice(1)}`)

/** The token makes every attempt the same insert. */
const render = (target: LineTarget, lines: readonly string[]): string => {
  const settings = [
    ...WRITE_SETTINGS,
    ...PARSE_SETTINGS,
    `insert_deduplication_token = '${randomUUID()}'`,
  ].join(', ')
  const rows = withGeneration(lines, target).join('\n')
  return `INSERT INTO ${target.table} (${namesOf(target)}) SETTINGS ${settings} FORMAT JSONCompactEachRow\n${rows}`
}

/** Throws `RowsRefused` when a row does not fit, AppError for every other failure. */
export const insertLines = async (
  send: (query: string) => Promise<void>,
  target: LineTarget,
  lines: readonly string[],
): Promise<void> => {
  if (lines.length === 0) return
  const query = render(target, lines)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send(query)
      return
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isNetworkFailure(error)) throw fromInsertError(error)
    }
  }
}
