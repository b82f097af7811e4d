import type { Rule } from '@merx/jsonapi/rules'

const CHANGE = '_balance_change_cents'

/** A balance is set or changed by an amount; both at once would mean neither. */
export const oneChangeOfBalance: Rule = ({ sent }) =>
  sent.has(CHANGE) && sent.has('balance_cents')
    ? {
        violations: [
          {
            at: { attribute: CHANGE },
            error: 'invalid',
            message: 'cannot be sent together with balance_cents',
          },
        ],
      }
    : {}
