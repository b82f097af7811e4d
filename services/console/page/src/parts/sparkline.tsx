/** A small line without axes: how values went, one a day. */
import { sparklinePoints } from './sparkline-points.ts'

const WIDTH = 240
const HEIGHT = 48

export const Sparkline = ({
  values,
  label,
}: {
  readonly values: readonly number[]
  readonly label: string
}) => (
  <svg
    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    role="img"
    aria-label={label}
    preserveAspectRatio="none"
    className="h-12 w-full text-accent"
  >
    <polyline
      points={sparklinePoints(values, WIDTH, HEIGHT)}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      vectorEffect="non-scaling-stroke"
      strokeLinejoin="round"
    />
  </svg>
)
