/**
 * A measure over the values `m` of a group → columns of exact text. Amounts stay decimals; an average is an exact
 * decimal quotient rounded half away from zero, so that conditions and sorting see the number that is shown.
 */
import type { Attribute } from '../catalogue/attribute.ts'
import type { Measure } from '../request/query.ts'
import { isRate } from './is-rate.ts'

/** Digits of an average. Rates keep two more. */
const averageDigits = (field: Attribute): number => (isRate(field) ? 4 : 2)

export const PERCENTS = [1, 5, 25, 50, 75, 95, 99] as const

/** Values of a bucket that the engine's groupArraySorted holds at most. */
export const SORTED_MAX = 16_777_215

/** The divisor is never zero: the engine divides also where `if` then drops the quotient. */
const average = (field: Attribute): string => {
  const quotient =
    'divideDecimal(toDecimal256(coalesce(sum(m), 0), 8), toDecimal256(greatest(count(m), 1), 0), 8)'
  return `if(count(m) = 0, NULL, round(${quotient}, ${averageDigits(field)}))`
}

const sum = 'coalesce(sum(m), 0)'

/**
 * The two values nearest to each of `PERCENTS`, fewer where there are fewer; present/percentiles.ts finds what lies between
 * them, as the same in SQL takes the engine 10 ms to plan. Values are sorted as they are stored, while they are gathered,
 * which is twice as quick as afterwards but ends at SORTED_MAX of them. Each two are picked by an expression of their own: a
 * lambda over the percents would get a copy of all values for each of them.
 */
const nearest = (hasMany: boolean): string => {
  const pair = (percent: number): string => `arraySlice(sorted, intDiv(${percent} * (n - 1), 100) + 1, 2)`
  const sorted = hasMany ? 'arraySort(groupArray(m))' : `groupArraySorted(${SORTED_MAX})(m)`
  return `tuple(${sorted} AS sorted, toInt64(count(m)) AS n, [${PERCENTS.map(pair).join(', ')}]).3`
}

/** `order` is the number that sorts and filters the bucket; `columns` is what is selected, `name` → SQL. */
export interface RenderedMeasure {
  readonly order: string
  readonly columns: Readonly<Record<string, string>>
}

const single = (expression: string): RenderedMeasure => ({
  order: expression,
  columns: { value: `toString(${expression})` },
})

export interface MeasureFacts {
  /** Every record has a value. */
  readonly isNeverMissing: boolean
  /** And no two records the same. */
  readonly isUnique: boolean
  /** A bucket may have more than SORTED_MAX values. */
  readonly hasMany: boolean
}

/** What is known of a field beforehand need not be read: there is one row for each record of a bucket then. */
export const renderMeasure = (
  { field, operator }: Measure,
  { isNeverMissing, isUnique, hasMany }: MeasureFacts,
): RenderedMeasure => {
  switch (operator) {
    case 'value_count':
      return single(isNeverMissing ? 'count()' : 'count(m)')
    case 'cardinality':
      return single(isUnique ? 'count()' : 'uniqExact(m)')
    case 'avg':
      return single(average(field))
    case 'sum':
      return single(sum)
    case 'min':
    case 'max':
      return single(`${operator}OrNull(m)`)
    case 'percentiles':
      return {
        order: average(field),
        columns: { nearest: nearest(hasMany), counted: 'toString(count(m))' },
      }
    case 'stats':
      return {
        order: average(field),
        columns: {
          count: 'toString(count(m))',
          min: 'toString(minOrNull(m))',
          max: 'toString(maxOrNull(m))',
          avg: `toString(${average(field)})`,
          sum: `toString(${sum})`,
        },
      }
  }
}
