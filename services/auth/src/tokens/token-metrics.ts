import { metricsOf, type CounterSeries } from '@merx/telemetry/metrics'
import type { GrantName } from '../grants/grant-names.ts'

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

/** By grant: no name is put together for each token. */
const reused = new Map<string, CounterSeries>()

/** Called once per answered token. */
export const countToken = (grant: GrantName, isNew: boolean): void => {
  if (isNew) return tokens.of(grant, 'issued').add()
  const series = reused.get(grant) ?? tokens.of(grant, 'reused')
  reused.set(grant, series)
  series.add()
}

/** `reason` is the title of the error, of which there are as many as the catalogue has. */
export const countRefusal = (grant: string | undefined, reason: string): void => {
  refusals.of(grant ?? 'none', reason).add()
}

export const countRevocation = (kind: 'access_token' | 'refresh_token'): void => {
  revocations.of(kind).add()
}
