import type { Rule } from '@merx/jsonapi/rules'

/** Refuses triggers that wait for something that is not built; `why` ends the sentence. */
export const notYet =
  (triggers: readonly string[], why: string): Rule =>
  ({ sent }) => {
    const violations = triggers
      .filter((name) => sent.has(name))
      .map((attribute) => ({
        at: { attribute },
        error: 'not_supported',
        message: `cannot be done yet, because ${why}`,
      }))
    return violations.length === 0 ? {} : { violations }
  }
