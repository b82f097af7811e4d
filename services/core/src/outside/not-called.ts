/** What is refused because it needs a vendor that Merx stores an account of and does not call (docs/adr/0118-vendor-types-are-stored.md). */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Command } from '../engine/write/commands.ts'

/** `type` is that of the account or of what is done with it; `instead` says what works here. */
export const notCalled = (
  type: string,
  at: NonNullable<WriteViolation['at']>,
  instead: string,
): WriteViolation => ({
  at,
  error: 'not_supported',
  message: `needs ${type}, whose vendor Merx does not call: it only stores the credentials; use ${instead}`,
})

/** A trigger that would call the vendor. */
export const refusedCommand = (type: string, trigger: `_${string}`, instead: string): Command => ({
  trigger,
  run: () => Promise.resolve({ violations: [notCalled(type, { attribute: trigger }, instead)] }),
})
