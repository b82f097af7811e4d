/** A line plot as an SVG element: no script, no style sheet, nothing from the net. */

export interface Series {
  readonly name: string
  /** Any CSS colour. */
  readonly color: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Plot {
  readonly title: string
  readonly unit: string
  readonly series: readonly Series[]
}

const WIDTH = 640
const HEIGHT = 200
const LEFT = 64
const BOTTOM = 24
const TOP = 28
const LINES = 4

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The least of 1, 2, 5 times a power of ten that is not below the value, so that axes have round numbers. */
export const roundUp = (value: number): number => {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

const label = (value: number): string =>
  value >= 10_000 ? `${value / 1000}k` : Number(value.toPrecision(3)).toString()

const text = (
  x: number,
  y: number,
  content: string,
  anchor: 'start' | 'end' = 'start',
  color = '#444',
): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${color}" font-size="11" font-family="sans-serif">${escapeText(content)}</text>`

/** @example renderPlot({ title: 'Latency', unit: 'ms', series: [{ name: 'p99', color: '#c30', points }] }) */
export const renderPlot = ({ title, unit, series }: Plot): string => {
  const all = series.flatMap(({ points }) => points)
  const xMax = Math.max(1, ...all.map(([x]) => x))
  const yMax = roundUp(Math.max(0, ...all.map(([, y]) => y)))
  const toX = (x: number): number => LEFT + (x / xMax) * (WIDTH - LEFT - 8)
  const toY = (y: number): number => HEIGHT - BOTTOM - (y / yMax) * (HEIGHT - BOTTOM - TOP)
  const grid = Array.from({ length: LINES + 1 }, (_, line) => {
    const value = (yMax / LINES) * line
    const y = toY(value).toFixed(1)
    return `<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${y}" y2="${y}" stroke="#ddd"/>${text(LEFT - 6, toY(value) + 4, label(value), 'end')}`
  })
  const lines = series.map(({ color, points }) => {
    const path = points.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(' ')
    return `<polyline fill="none" stroke="${escapeText(color)}" stroke-width="1.5" points="${path}"/>`
  })
  const legend = series.map(({ name, color }, index) =>
    text(LEFT + 200 + index * 130, 14, name, 'start', color),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)}">`,
    text(8, 14, `${title}, ${unit}`),
    ...legend,
    ...grid,
    ...lines,
    text(LEFT, HEIGHT - 6, '0 s'),
    text(WIDTH - 8, HEIGHT - 6, `${label(xMax)} s`, 'end'),
    '</svg>',
  ].join('')
}
