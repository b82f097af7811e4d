/** A value of an attribute, as people read it. */
import { formatTime } from '../data/format.ts'
import { t } from '../language/text.ts'
import { State } from '../parts/state.tsx'

export interface ValueProps {
  readonly kind: string | undefined
  readonly value: unknown
}

export const Value = ({ kind, value }: ValueProps) => {
  if (value === null || value === undefined || value === '') return <span className="text-soft">–</span>
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (kind === 'instant' && typeof value === 'string')
    return <time dateTime={value}>{formatTime(value)}</time>
  if (kind === 'oneOf' && typeof value === 'string') return <State state={value} />
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return <pre className="m-0 text-sm whitespace-pre-wrap">{JSON.stringify(value, null, 2)}</pre>
}
