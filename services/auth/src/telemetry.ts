/** Metrics of auth beyond requests: tokens, refusals and revocations. */
import { instrumentsOf } from '@merx/telemetry/metrics'
import type { GrantName } from './grants/grant-names.ts'

const instruments = instrumentsOf('auth', (meter) => ({
  tokens: meter.createCounter('merx_auth_tokens', {
    description:
      'Access tokens answered, by grant: issued were signed for the request, reused were handed out again.',
  }),
  refusals: meter.createCounter('merx_auth_refusals', {
    description: 'Refusals of the token endpoint by grant and reason; unknown grants are "none".',
  }),
  revocations: meter.createCounter('merx_auth_revocations', {
    description: 'Tokens revoked over /oauth/revoke: access tokens, and families of refresh tokens.',
  }),
}))

/** Called once per answered token. */
export const countToken = (grant: GrantName, isNew: boolean): void =>
  instruments().tokens.add(1, { grant, outcome: isNew ? 'issued' : 'reused' })

/** `reason` is the title of the error, of which there are as many as the catalogue has. */
export const countRefusal = (grant: string | undefined, reason: string): void =>
  instruments().refusals.add(1, { grant: grant ?? 'none', reason })

/** Counts revocations that were stored; a request about an unknown token stores none. */
export const countRevocation = (kind: 'access_token' | 'refresh_token'): void =>
  instruments().revocations.add(1, { kind })
