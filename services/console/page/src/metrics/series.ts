/** What a chart draws: named series over the rows of an answer, each with a colour. */
import { t } from '../language/text.ts'
import { formatSplit, measureName } from './format-value.ts'
import type { Question } from './question.ts'
import { splitsOf, type Row } from './result.ts'

export interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** A custom property of style.css. */
  readonly colour: string
  readonly isBefore?: boolean
}

/** As many as can be told apart; the table has the others. */
export const SERIES_MAX = 8

export const colourOf = (index: number): string => `--series-${(index % SERIES_MAX) + 1}`

/** One for each label of the inner breakdown; without one the values, and those of the period before. */
export const toSeries = (question: Question, rows: readonly Row[]): readonly Series[] => {
  const splits = splitsOf(rows)
  if (splits.length > 0)
    return splits.slice(0, SERIES_MAX).map((label, index) => ({
      name: formatSplit(question, label),
      values: rows.map(({ parts }) => parts[label] ?? null),
      colour: colourOf(index),
    }))
  const values = { name: measureName(question), values: rows.map(({ value }) => value), colour: colourOf(0) }
  if (!rows.some(({ before }) => before !== undefined)) return [values]
  return [
    values,
    {
      name: t('Period before'),
      values: rows.map(({ before }) => before ?? null),
      colour: '--soft',
      isBefore: true,
    },
  ]
}
