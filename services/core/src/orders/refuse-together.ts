import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { memberOfOrder } from './order-changes.ts'

/** Members of which a request has one of each group, because they decide the same. */
export const refuseTogether =
  (groups: readonly (readonly string[])[]): Rule =>
  ({ sent }) => {
    const violations = groups.flatMap((names) => {
      const [first, ...others] = names.filter((name) => sent.has(name))
      return others.map((name): WriteViolation => ({
        at: memberOfOrder(name),
        error: 'invalid',
        message: `cannot be sent together with ${first ?? ''}`,
      }))
    })
    return violations.length === 0 ? {} : { violations }
  }
