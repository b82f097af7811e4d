/** Values and labels of answers as people read them. */
import { formatAmount, formatCount } from '../data/format.ts'
import { labelOf } from '../data/triggers.ts'
import { locale, t } from '../language/text.ts'
import { nameOf, resourceOf } from './catalogue.ts'
import { currencyOf, isMoney, type Question } from './question.ts'

export type FormatValue = (value: number | null | undefined) => string

/** With its currency, where the question has one. */
export const formatterOf = (question: Question): FormatValue => {
  const currency = isMoney(question) ? currencyOf(question) : undefined
  return (value) => {
    if (value === null || value === undefined) return '–'
    return currency === undefined ? formatCount(value) : formatAmount(value, currency)
  }
}

/** Short, for the ticks of a chart: `12K`. */
export const formatTick = (value: number): string =>
  new Intl.NumberFormat(locale(), { notation: 'compact' }).format(value)

const FORMATS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  hour: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', month: 'short', day: 'numeric' },
  week: { month: 'short', day: 'numeric', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
}

/** Days and hours are those of UTC. */
export const formatInterval = (start: string, interval: string): string =>
  new Intl.DateTimeFormat(locale(), { ...FORMATS[interval], timeZone: 'UTC' }).format(new Date(start))

/** What a group is called: labels are text, also of what is yes or no. */
const labelOfGroup = (of: string, by: string, key: string): string => {
  if (resourceOf(of).attributes[by]?.type !== 'boolean') return key
  return key === 'true' ? t('Yes') : t('No')
}

export const formatKey = ({ kind, of, by, interval }: Question, key: string): string =>
  kind === 'date_breakdown' ? formatInterval(key, interval) : labelOfGroup(of, by, key)

export const formatSplit = ({ of, split }: Question, key: string): string => labelOfGroup(of, split, key)

const OPERATORS: Readonly<Record<string, () => string>> = {
  sum: () => t('Sum'),
  avg: () => t('Average'),
  min: () => t('Least'),
  max: () => t('Most'),
  count: () => t('Number'),
  stats: () => t('All of them'),
  value_count: () => t('Number'),
  cardinality: () => t('Number of different values'),
  percentiles: () => t('Percentiles'),
}

/** Of the operators, and of the numbers that those with several give. */
export const operatorName = (operator: string): string => OPERATORS[operator]?.() ?? labelOf(operator)

/** `Sum of total amount`. */
export const measureName = ({ field, operator, member }: Question): string =>
  t('{operator}: {field}', {
    operator: operatorName(member === '' ? operator : member),
    field: nameOf(field).toLowerCase(),
  })
