/** Rules of what is written to a transaction. */
import type { Rule } from '@merx/jsonapi/rules'

/** Each of these triggers works with what is stored, so a request starts one. */
const MOVING = ['_capture', '_void', '_cancel', '_refund', '_forward'] as const

export const oneMovement: Rule = ({ sent }) => {
  const [first, ...others] = MOVING.filter((name) => sent.has(name))
  if (first === undefined) return {}
  const message = `cannot be sent together with ${first}; send them one after the other`
  const violations = others.map((attribute) => ({ at: { attribute }, error: 'invalid', message }))
  return { violations }
}

/** Balances count on a success, so it is never taken back. */
export const keepSuccess: Rule = ({ before, after }) => {
  if ((after['succeeded'] ?? null) === null)
    return {
      violations: [{ at: { attribute: 'succeeded' }, error: 'blank', message: 'must be true or false' }],
    }
  if (before?.['succeeded'] !== true || after['succeeded'] === true) return {}
  const message = 'is true and stays so: a movement that succeeded is never taken back'
  return { violations: [{ at: { attribute: 'succeeded' }, error: 'immutable', message, value: false }] }
}
