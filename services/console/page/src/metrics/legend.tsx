/** The names of the series of a chart, with their colours. */
import type { Series } from './series.ts'

export const Legend = ({ series }: { readonly series: readonly Series[] }) =>
  series.length < 2 ? null : (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
      {series.map(({ name, colour, isBefore = false }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={`inline-block w-4 ${isBefore ? 'border-t-2 border-dashed' : 'h-3 rounded-sm'}`}
            style={isBefore ? { borderColor: `var(${colour})` } : { background: `var(${colour})` }}
          />
          {name}
        </li>
      ))}
    </ul>
  )
