/** Where the bars of a chart begin and end, and the ticks of its axis. Negative values, such as refunds, have no bar. */

export interface Bar {
  readonly column: number
  readonly series: number
  readonly from: number
  readonly to: number
  /** Which of the bars beside each other in its column it is. */
  readonly part: number
  readonly parts: number
}

/** Beside each other, or one on another. @param values of each series, one for each column */
export const stackBars = (
  values: readonly (readonly (number | null)[])[],
  isStacked: boolean,
): { readonly bars: readonly Bar[]; readonly max: number } => {
  const columns = values[0]?.length ?? 0
  const bars: Bar[] = []
  let max = 0
  for (let column = 0; column < columns; column += 1) {
    let base = 0
    values.forEach((each, series) => {
      const value = Math.max(each[column] ?? 0, 0)
      if (value === 0) return
      const from = isStacked ? base : 0
      const place = isStacked ? { part: 0, parts: 1 } : { part: series, parts: values.length }
      bars.push({ column, series, from, to: from + value, ...place })
      base = from + value
      max = Math.max(max, base)
    })
  }
  return { bars, max }
}

const STEPS = [1, 2, 2.5, 5, 10]
const TICKS = 4

/** Round numbers from zero to at least `max`. */
export const ticksTo = (max: number): readonly number[] => {
  const rough = (max > 0 ? max : 1) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (STEPS.find((each) => each * power >= rough) ?? 10) * power
  return Array.from({ length: TICKS + 1 }, (_, index) => index * step)
}
