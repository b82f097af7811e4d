/** Points of an SVG polyline: the first value at the left edge, the last at the right, zero at the bottom. */
export const sparklinePoints = (values: readonly number[], width: number, height: number): string => {
  const max = Math.max(...values, 0)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  return values
    .map((value, index) => {
      const y = max === 0 ? height - 1 : height - 1 - (Math.max(value, 0) / max) * (height - 2)
      return `${round(index * step)},${round(y)}`
    })
    .join(' ')
}

const round = (value: number): number => Math.round(value * 100) / 100
