import { metricsOf } from '@merx/telemetry/metrics'

const metrics = metricsOf('auth')

const tokens = metrics.counter({
  name: 'merx_auth_tokens',
  help: 'Access tokens answered, by grant: issued were signed for the request, reused were handed out again.',
  labels: ['grant', 'outcome'],
})

const refusals = metrics.counter({
  name: 'merx_auth_refusals',
  help: 'Refusals of the token endpoint by grant and reason; unknown grants are "none".',
  labels: ['grant', 'reason'],
})

/** Revocations that were stored; answers about tokens that are not known any more are none. */
const revocations = metrics.counter({
  name: 'merx_auth_revocations',
  help: 'Tokens revoked over /oauth/revoke: access tokens, and families of refresh tokens.',
  labels: ['kind'],
})

/** Called once per answered token. */
export const countToken = (grant: string, isNew: boolean): void => {
  tokens.of(grant, isNew ? 'issued' : 'reused').add()
}

/** `reason` is the title of the error, of which there are as many as the catalogue has. */
export const countRefusal = (grant: string | undefined, reason: string): void => {
  refusals.of(grant ?? 'none', reason).add()
}

export const countRevocation = (kind: 'access_token' | 'refresh_token'): void => {
  revocations.of(kind).add()
}
