/** A state of a record, as a word with a colour that repeats what the word says. */
import { labelOf } from '../data/triggers.ts'

const GOOD = new Set([
  'approved',
  'paid',
  'fulfilled',
  'delivered',
  'shipped',
  'free',
  'completed',
  'working',
])
const WARN = new Set([
  'placed',
  'authorized',
  'in_progress',
  'on_hold',
  'partially_paid',
  'editing',
  'ready_to_ship',
  'failing',
])
const BAD = new Set([
  'cancelled',
  'voided',
  'refunded',
  'partially_refunded',
  'interrupted',
  'failed',
  'stopped',
])

const coloursOf = (state: string): string => {
  if (GOOD.has(state)) return 'bg-good-ground text-good'
  if (WARN.has(state)) return 'bg-warn-ground text-warn'
  return BAD.has(state) ? 'bg-bad-ground text-bad' : 'bg-ground text-soft'
}

export const State = ({ state }: { readonly state: string | null | undefined }) =>
  state === null || state === undefined ? null : (
    <span className={`inline-block rounded-full px-2.5 py-0.5 text-sm whitespace-nowrap ${coloursOf(state)}`}>
      {labelOf(state)}
    </span>
  )
