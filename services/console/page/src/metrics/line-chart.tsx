/** Values over time as lines, drawn by uPlot. Whoever cannot see them reads the table beneath, which has the same numbers. */
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatInterval, formatTick, type FormatValue } from './format-value.ts'
import { Legend } from './legend.tsx'
import type { Series } from './series.ts'
import { useWidth } from './use-width.ts'

export interface LineChartProps {
  /** The beginning of each interval. */
  readonly starts: readonly string[]
  readonly interval: string
  readonly series: readonly Series[]
  readonly format: FormatValue
  readonly label: string
  readonly height?: number
}

const HEIGHT = 280
const FONT = '12px system-ui, sans-serif'

const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const axis = (): uPlot.Axis => ({
  stroke: colour('--soft'),
  font: FONT,
  grid: { stroke: colour('--line'), width: 1 },
  ticks: { show: false },
})

interface Drawn extends LineChartProps {
  readonly width: number
  readonly onPoint: (index: number | null) => void
}

const optionsOf = ({ width, height = HEIGHT, interval, series, onPoint }: Drawn): uPlot.Options => ({
  width,
  height,
  tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
  legend: { show: false },
  padding: [8, 8, 0, 0],
  cursor: { drag: { x: false, y: false }, y: false },
  scales: { y: { range: (_plot, min, max) => [Math.min(0, min), max > 0 ? max * 1.08 : 1] } },
  axes: [
    {
      ...axis(),
      space: 80,
      size: 28,
      values: (_plot, splits) =>
        splits.map((seconds) => formatInterval(new Date(seconds * 1_000).toISOString(), interval)),
    },
    { ...axis(), size: 56, values: (_plot, splits) => splits.map((value) => formatTick(value)) },
  ],
  series: [
    {},
    ...series.map(({ name, colour: property, isBefore = false }) => ({
      label: name,
      stroke: colour(property),
      width: isBefore ? 1.5 : 2,
      ...(isBefore ? { dash: [4, 4] } : {}),
      points: { show: false },
    })),
  ],
  hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
})

const dataOf = ({ starts, series }: LineChartProps): uPlot.AlignedData => [
  starts.map((start) => Date.parse(start) / 1_000),
  ...series.map(({ values }) => [...values]),
]

const DARK = '(prefers-color-scheme: dark)'

export const LineChart = (props: LineChartProps) => {
  const { starts, interval, series, format, label } = props
  const [ref, width] = useWidth<HTMLDivElement>()
  const plot = useRef<HTMLDivElement>(null)
  const [point, setPoint] = useState<number | null>(null)
  const drawn = JSON.stringify([starts, interval, series])
  useEffect(() => {
    const element = plot.current
    if (element === null || width === 0) return undefined
    const scheme = window.matchMedia(DARK)
    const draw = () => new uPlot(optionsOf({ ...props, width, onPoint: setPoint }), dataOf(props), element)
    let chart = draw()
    const redraw = () => {
      chart.destroy()
      chart = draw()
    }
    scheme.addEventListener('change', redraw)
    return () => {
      scheme.removeEventListener('change', redraw)
      chart.destroy()
    }
    // What of the properties is drawn is in `drawn`: they are new objects each time.
  }, [drawn, width])
  const start = point === null ? undefined : starts[point]
  return (
    <figure className="m-0 flex flex-col gap-2">
      <Legend series={series} />
      <div ref={ref} role="img" aria-label={label} className="w-full overflow-hidden" dir="ltr">
        <div ref={plot} />
      </div>
      <figcaption className="min-h-5 text-sm tabular-nums text-soft">
        {start === undefined || point === null
          ? null
          : [
              formatInterval(start, interval),
              ...series.map(({ name, values }) => `${name} ${format(values[point])}`),
            ].join(' · ')}
      </figcaption>
    </figure>
  )
}
