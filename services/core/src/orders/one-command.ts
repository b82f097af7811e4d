import type { Rule } from '@merx/jsonapi/rules'

/** What moves an order on. Each of them works with what is stored, so a request starts one. */
export const MOVING: readonly string[] = [
  '_pending',
  '_place',
  '_start_editing',
  '_stop_editing',
  '_approve',
  '_approve_and_capture',
  '_capture',
  '_refund',
  '_cancel',
  '_fulfill',
  '_authorize',
]

export const oneCommand: Rule = ({ sent }) => {
  const [first, ...others] = MOVING.filter((name) => sent.has(name))
  if (first === undefined || others.length === 0) return {}
  const message = `cannot be sent together with ${first}; send them one after the other`
  return { violations: others.map((attribute) => ({ at: { attribute }, error: 'invalid', message })) }
}
