/** Commands that move stock by hand: they run only while the order, which the write has locked, is in fulfillment (lifecycles.md 4.3). */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Command } from '../engine/write/commands.ts'

/** `relationship` leads to the order, and is where the violation points. */
export const whileInProgress =
  (relationship: string, message: string) =>
  (trigger: `_${string}`, run: Command['run']): Command => {
    const violation: WriteViolation = { at: { relationship }, error: 'not_in_progress', message }
    return {
      trigger,
      run: async (context) =>
        context.step.locked?.['fulfillment_status'] === 'in_progress'
          ? run(context)
          : { violations: [violation] },
    }
  }
