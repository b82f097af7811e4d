/** The rows of an import in CSV that were not written: those that were refused, and those behind an interruption. */
import { t } from '../language/text.ts'
import { problemsOfLog, type CsvItem, type Job } from './jobs.ts'
import { PROBLEM_COLUMN } from './read-csv.ts'

/** By what core's log calls an item; the first that it has. */
const NAMING = ['code', 'sku_code', 'number', 'email', 'name', 'reference', 'id']
const NAME_MAX = 200

const nameOf = (item: CsvItem): string | undefined =>
  NAMING.map((name) => item[name] ?? '')
    .find((value) => value !== '')
    ?.slice(0, NAME_MAX)

/** `item 3`, or `SHIRT (item 3)` of a second one with the name. */
const PLACED = /^(?:item (?<alone>\d+)|(?<name>.*) \(item (?<place>\d+)\))$/s

const placeIn = (key: string): number | undefined => {
  const { alone, place } = PLACED.exec(key)?.groups ?? {}
  const number = Number(alone ?? place)
  return Number.isSafeInteger(number) ? number : undefined
}

/**
 * The rows that an entry of the log may mean, from 1. Of several with one name it is the first that was refused, which is
 * before those that the log has with their place.
 */
const rowsMeant = (
  key: string,
  log: Readonly<Record<string, unknown>>,
  rowsByName: ReadonlyMap<string | undefined, readonly number[]>,
): readonly number[] => {
  const named = rowsByName.get(key)
  if (named === undefined) return [placeIn(key) ?? []].flat()
  const later = Object.keys(log)
    .filter((other) => PLACED.exec(other)?.groups?.['name'] === key)
    .flatMap((other) => placeIn(other) ?? [])
  return named.filter((row) => row < Math.min(Infinity, ...later))
}

const messagesOf = (key: string, value: unknown): string =>
  problemsOfLog({ [key]: value })
    .map(({ field, message }) => [field, message].filter((part) => part !== '').join(' '))
    .join('; ')

/**
 * @param items all rows, in their order
 * @returns a line of names, and the rows with what is wrong with each in a column after theirs; core's log cannot always tell
 * rows with one name apart, then each of them is there
 */
export const unwrittenRows = (
  items: readonly CsvItem[],
  { processed_count: written, errors_count: errors = 0, errors_log: log = {} }: Job['attributes'],
): readonly (readonly string[])[] => {
  const names = Object.keys(items[0] ?? {})
  const reached = written + errors
  const rowsByName = Map.groupBy(
    Array.from({ length: Math.min(reached, items.length) }, (_none, at) => at + 1),
    (row) => nameOf(items[row - 1] ?? {}),
  )
  const problems = new Map<number, string>()
  for (const [key, value] of Object.entries(log)) {
    const rows = rowsMeant(key, log, rowsByName)
    const problem = t('row {rows}: {problem}', { rows: rows.join('/'), problem: messagesOf(key, value) })
    for (const row of rows) problems.set(row, [problems.get(row) ?? [], problem].flat().join('; '))
  }
  const lines = items.flatMap((item, at) => {
    const problem = problems.get(at + 1) ?? (at < reached ? undefined : t('not reached'))
    return problem === undefined ? [] : [[...names.map((name) => item[name] ?? ''), problem]]
  })
  return [[...names, PROBLEM_COLUMN], ...lines]
}
