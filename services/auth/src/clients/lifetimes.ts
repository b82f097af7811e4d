/** How long tokens live (contract, Token lifetime). All durations in seconds. */
import type { Credential, CredentialKind } from './credential.ts'

export const DEFAULT_LIFETIME_SECONDS: Readonly<Record<CredentialKind, number>> = {
  sales_channel: 14_400,
  integration: 7_200,
  webapp: 7_200,
}

export const CUSTOM_LIFETIME_SECONDS_MIN = 7_200
export const CUSTOM_LIFETIME_SECONDS_MAX = 1_296_000

export const REFRESH_TOKEN_LIFETIME_SECONDS = 14 * 24 * 3600

/** A new token is issued once this much or less is left of the previous one. */
export const REISSUE_BEFORE_EXPIRY_SECONDS = 900

export const lifetimeSecondsOf = (credential: Credential): number =>
  credential.customLifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS[credential.kind]

export const isCustomLifetimeAllowed = (seconds: number): boolean =>
  Number.isInteger(seconds) &&
  seconds >= CUSTOM_LIFETIME_SECONDS_MIN &&
  seconds <= CUSTOM_LIFETIME_SECONDS_MAX
