/** The time in which something holds: from `starts_at` until `expires_at`, unless it was switched off. */
import type { Rule } from '@merx/jsonapi/rules'

export const VALIDITY_STATUSES = ['disabled', 'expired', 'pending', 'active'] as const

export interface Validity {
  readonly starts_at: Date
  readonly expires_at: Date
  readonly disabled_at: Date | null
}

/** What comes first in the list holds: what was disabled is so whatever its dates. */
export const validityAt = (
  { starts_at, expires_at, disabled_at }: Validity,
  now: Date,
): (typeof VALIDITY_STATUSES)[number] => {
  if (disabled_at !== null) return 'disabled'
  if (expires_at <= now) return 'expired'
  return starts_at > now ? 'pending' : 'active'
}

/** It ends after it starts; the error is at the date that was sent. */
export const endsAfterItStarts: Rule = ({ after, sent }) => {
  const { starts_at: startsAt, expires_at: expiresAt } = after
  if (!(startsAt instanceof Date) || !(expiresAt instanceof Date) || expiresAt > startsAt) return {}
  const attribute = sent.has('expires_at') || !sent.has('starts_at') ? 'expires_at' : 'starts_at'
  const message = attribute === 'expires_at' ? 'must be after starts_at' : 'must be before expires_at'
  return { violations: [{ at: { attribute }, error: 'invalid', message }] }
}
