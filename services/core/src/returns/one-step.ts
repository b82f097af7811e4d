import type { Rule } from '@merx/jsonapi/rules'

/** What moves a return on. Each works with what is stored, so a request starts one. */
const MOVING: readonly string[] = [
  '_request',
  '_approve',
  '_cancel',
  '_ship',
  '_reject',
  '_receive',
  '_restock',
  '_refund',
]

export const oneStep: Rule = ({ sent }) => {
  const [first, ...others] = MOVING.filter((name) => sent.has(name))
  if (first === undefined || others.length === 0) return {}
  const message = `cannot be sent together with ${first}; send them one after the other`
  return { violations: others.map((attribute) => ({ at: { attribute }, error: 'invalid', message })) }
}
