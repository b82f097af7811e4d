/** Several measurements of one thing as median and range. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** @throws RangeError when there is nothing to tell */
export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  const [min] = sorted
  const max = sorted.at(-1)
  if (upper === undefined || lower === undefined || min === undefined || max === undefined)
    throw new RangeError('a spread needs at least one value')
  return { median: (lower + upper) / 2, min, max }
}
