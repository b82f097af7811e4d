/** Values over time as bars, also one on another. The table beneath has the same numbers, and its buttons for the keyboard. */
import { stackBars, ticksTo, type Bar } from './bar-shapes.ts'
import { formatInterval, formatTick, type FormatValue } from './format-value.ts'
import { Legend } from './legend.tsx'
import type { Series } from './series.ts'
import { useWidth } from './use-width.ts'

export interface TimeBarsProps {
  readonly starts: readonly string[]
  readonly interval: string
  readonly series: readonly Series[]
  readonly isStacked: boolean
  readonly format: FormatValue
  readonly label: string
  readonly height?: number
  readonly onChoose?: ((start: string) => void) | undefined
}

const HEIGHT = 280
const BOTTOM = 24
const SIDE = 56
const TOP = 8
/** What the text of an interval needs. */
const LABEL_WIDTH = 90

const Grid = ({
  ticks,
  width,
  height,
}: {
  readonly ticks: readonly number[]
  readonly width: number
  readonly height: number
}) => {
  const max = ticks.at(-1) ?? 1
  return (
    <g className="text-xs">
      {ticks.map((tick) => {
        const y = TOP + (height - TOP - BOTTOM) * (1 - tick / max)
        return (
          <g key={tick}>
            <line x1={SIDE} x2={width} y1={y} y2={y} stroke="var(--line)" />
            <text x={SIDE - 8} y={y + 4} textAnchor="end" fill="var(--soft)">
              {formatTick(tick)}
            </text>
          </g>
        )
      })}
    </g>
  )
}

export const TimeBars = (props: TimeBarsProps) => {
  const { starts, interval, series, isStacked, format, label, height = HEIGHT, onChoose } = props
  const [ref, width] = useWidth<HTMLDivElement>()
  const { bars, max } = stackBars(
    series.map(({ values }) => values),
    isStacked,
  )
  const ticks = ticksTo(max)
  const top = ticks.at(-1) ?? 1
  const step = starts.length === 0 ? 0 : (width - SIDE) / starts.length
  const inner = height - TOP - BOTTOM
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(step, 1)))
  const rect = ({ column, series: index, from, to, part, parts }: Bar) => {
    const start = starts[column] ?? ''
    const { name = '', colour = '--series-1', isBefore = false } = series[index] ?? {}
    const room = step * 0.8
    return (
      <rect
        key={`${column} ${index}`}
        x={SIDE + column * step + step * 0.1 + (room / parts) * part}
        width={Math.max(room / parts, 0.5)}
        y={TOP + inner * (1 - to / top)}
        height={Math.max((inner * (to - from)) / top, 0)}
        fill={`var(${colour})`}
        opacity={isBefore ? 0.45 : 1}
        className={onChoose === undefined ? '' : 'cursor-pointer'}
        onClick={() => onChoose?.(start)}
      >
        <title>{`${formatInterval(start, interval)} · ${name} ${format(to - from)}`}</title>
      </rect>
    )
  }
  return (
    <figure className="m-0 flex flex-col gap-2">
      <Legend series={series} />
      <div ref={ref} className="w-full overflow-hidden" dir="ltr">
        {width === 0 ? null : (
          <svg width={width} height={height} role="img" aria-label={label} className="block">
            <Grid ticks={ticks} width={width} height={height} />
            {bars.map(rect)}
            {starts.map((start, column) =>
              column % every === 0 && SIDE + column * step + LABEL_WIDTH <= width ? (
                <text
                  key={start}
                  x={SIDE + column * step + step * 0.1}
                  y={height - 6}
                  className="text-xs"
                  fill="var(--soft)"
                >
                  {formatInterval(start, interval)}
                </text>
              ) : null,
            )}
          </svg>
        )}
      </div>
    </figure>
  )
}
