/** What a token would say, with the name under which identical requests find it. */
import type { Credential } from '../clients/credential.ts'
import { lifetimeSecondsOf } from '../clients/lifetimes.ts'
import type { ResolvedScope } from '../scopes/resolve-scope.ts'
import { buildIdentity, type TokenIdentity, type TokenSubject } from './claims.ts'
import { reuseKey } from './reuse-key.ts'

export interface NamedIdentity {
  readonly identity: TokenIdentity
  readonly lifetimeSeconds: number
  /** See reuse-key.ts. */
  readonly key: string
}

const build = (subject: TokenSubject): NamedIdentity => {
  const identity = buildIdentity(subject)
  const lifetimeSeconds = lifetimeSecondsOf(subject.client.credential)
  return { identity, lifetimeSeconds, key: reuseKey(identity, lifetimeSeconds) }
}

type Known = WeakMap<Credential, WeakMap<ResolvedScope, NamedIdentity>>

const knownPublic: Known = new WeakMap()
const knownConfidential: Known = new WeakMap()

/**
 * A credential and a scope are the same objects for as long as nobody looks them up again, a second at most; until then
 * so is what a token says that speaks for the credential alone. They are never changed, only replaced.
 */
export const nameIdentity = (subject: TokenSubject): NamedIdentity => {
  const { client, scope, owner, role, customClaim } = subject
  const { credential, isConfidential } = client
  if (owner !== undefined || customClaim !== undefined || role !== credential.role) return build(subject)
  const known = isConfidential ? knownConfidential : knownPublic
  const byScope = known.get(credential) ?? new WeakMap<ResolvedScope, NamedIdentity>()
  const named = byScope.get(scope) ?? build(subject)
  known.set(credential, byScope)
  byScope.set(scope, named)
  return named
}
