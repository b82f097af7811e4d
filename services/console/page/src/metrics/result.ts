/** An answer of metrics → rows that can be drawn, listed and written as CSV. */
import { limits, longNameOf } from './catalogue.ts'
import { intervalsOf, periodBefore, periodOf } from './period.ts'
import type { Question } from './question.ts'

/** Of `stats` and `percentiles` an object. */
type Measured = number | null | Readonly<Record<string, number | null>>

interface Bucket {
  readonly label?: string
  readonly date?: string
  readonly value: Measured
  readonly [by: string]: unknown
}

export interface Row {
  /** The beginning of an interval, or the label of a group; empty for one value over everything. */
  readonly key: string
  readonly value: number | null
  /** What `stats` and `percentiles` give, by their names; empty otherwise. */
  readonly members: Readonly<Record<string, number | null>>
  /** By label of the inner breakdown. */
  readonly parts: Readonly<Record<string, number | null>>
  /** In the period before; undefined when that was not asked. */
  readonly before?: number | null
}

/** What is drawn of several numbers. */
const mainOf = (value: Measured, member: string): number | null =>
  value === null || typeof value === 'number' ? value : (value[member] ?? null)

const membersOf = (value: Measured): Row['members'] =>
  value === null || typeof value === 'number' ? {} : value

const partsOf = (bucket: Bucket, { split, member }: Question): Row['parts'] => {
  const inner = (split === '' ? [] : (bucket[split] ?? [])) as readonly Bucket[]
  return Object.fromEntries(inner.map(({ label = '', value }) => [label, mainOf(value, member)]))
}

const rowOf = (bucket: Bucket, question: Question): Row => ({
  key: bucket.date ?? bucket.label ?? '',
  value: mainOf(bucket.value, question.member),
  members: membersOf(bucket.value),
  parts: partsOf(bucket, question),
})

/** The `data` of an answer to a question that is no search. */
export type Answer =
  readonly Bucket[] | Readonly<Record<string, readonly Bucket[]>> | { readonly value: Measured }

const bucketsOf = ({ kind, by }: Question, answer: Answer): readonly Bucket[] => {
  if (kind === 'stats') return [{ value: (answer as { readonly value: Measured }).value }]
  if (kind === 'date_breakdown') return answer as readonly Bucket[]
  return (answer as Readonly<Record<string, readonly Bucket[]>>)[by] ?? []
}

/** Nothing was counted or added: that is 0. Of nothing there is no average. */
const nothingOf = ({ operator, member }: Question): number | null =>
  ['sum', 'value_count', 'cardinality', 'count'].includes(member === '' ? operator : member) ? 0 : null

/** Whether the groups are the intervals of the period: not those of another date of the records. */
const isOfPeriod = ({ kind, by, date }: Question): boolean =>
  kind === 'date_breakdown' && by.endsWith(`.${date}`) && by.split('.').length === 2

/** Metrics leaves out intervals without a record. */
const everyInterval = (
  question: Question,
  rows: readonly Row[],
  starts: readonly string[],
): readonly Row[] => {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const empty = { value: nothingOf(question), members: {}, parts: {} }
  return starts.map((key) => byKey.get(key) ?? { key, ...empty })
}

const rowsOf = (question: Question, answer: Answer): readonly Row[] =>
  bucketsOf(question, answer).map((bucket) => rowOf(bucket, question))

/** The first interval next to the first of the period before, and so on. */
const pairByPosition = (rows: readonly Row[], before: readonly Row[]): readonly Row[] =>
  rows.map((row, index) => ({ ...row, before: before[index]?.value ?? null }))

/** A group that was not there had nothing, unless there were more groups than an answer has. */
const pairByKey = (question: Question, rows: readonly Row[], before: readonly Row[]): readonly Row[] => {
  const missing = before.length < limits.bucketsMax ? nothingOf(question) : null
  const values = new Map(before.map(({ key, value }) => [key, value]))
  return rows.map((row) => ({
    ...row,
    before: values.has(row.key) ? (values.get(row.key) ?? null) : missing,
  }))
}

/** @param before the answer about the period before, when it was asked */
export const toRows = (question: Question, now: Date, answer: Answer, before?: Answer): readonly Row[] => {
  const rows = rowsOf(question, answer)
  const earlier = before === undefined ? undefined : rowsOf(question, before)
  if (!isOfPeriod(question)) return earlier === undefined ? rows : pairByKey(question, rows, earlier)
  const period = periodOf(question, now)
  const filled = everyInterval(question, rows, intervalsOf(period, question.interval))
  if (earlier === undefined) return filled
  const starts = intervalsOf(periodBefore(period), question.interval)
  return pairByPosition(filled, everyInterval(question, earlier, starts))
}

/** Labels of the inner breakdown, those with the largest sum first. */
export const splitsOf = (rows: readonly Row[]): readonly string[] => {
  const sums = new Map<string, number>()
  for (const { parts } of rows)
    for (const [label, value] of Object.entries(parts))
      sums.set(label, (sums.get(label) ?? 0) + Math.abs(value ?? 0))
  return [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([label]) => label)
}

export const membersIn = (rows: readonly Row[]): readonly string[] =>
  Object.keys(rows.find(({ members }) => Object.keys(members).length > 0)?.members ?? {})

export const hasValues = (rows: readonly Row[]): boolean =>
  rows.some(({ value }) => value !== null && value !== 0)

/** What all intervals give together, where that can be added; of the period before, too. */
export const totalsOf = (
  question: Question,
  rows: readonly Row[],
): { readonly now: number; readonly before?: number } | undefined => {
  if (
    question.kind !== 'date_breakdown' ||
    nothingOf(question) === null ||
    question.operator === 'cardinality'
  )
    return undefined
  const now = rows.reduce((sum, { value }) => sum + (value ?? 0), 0)
  return rows.some(({ before }) => before !== undefined)
    ? { now, before: rows.reduce((sum, { before }) => sum + (before ?? 0), 0) }
    : { now }
}

/** The cells of a table, the first row its heads. */
export const toCells = (
  question: Question,
  rows: readonly Row[],
  heads: { readonly value: string; readonly before: string },
): readonly (readonly (string | number | null)[])[] => {
  const members = membersIn(rows)
  const splits = splitsOf(rows)
  const isCompared = rows.some(({ before }) => before !== undefined)
  const first = question.kind === 'stats' ? [] : [longNameOf(question.by)]
  return [
    [
      ...first,
      ...(members.length === 0 ? [heads.value] : members),
      ...(isCompared ? [heads.before] : []),
      ...splits,
    ],
    ...rows.map((row) => [
      ...(question.kind === 'stats' ? [] : [row.key]),
      ...(members.length === 0 ? [row.value] : members.map((name) => row.members[name] ?? null)),
      ...(isCompared ? [row.before ?? null] : []),
      ...splits.map((label) => row.parts[label] ?? null),
    ]),
  ]
}
