/** RFC 6749 4.1.3: a webapp exchanges the code a user's consent gave it. A code used twice ends what it gave (4.1.2). */
import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '@merx/errors/app-error'
import { clientActor } from '../audit/actors.ts'
import type { User } from '../roles/user.ts'
import { resolveScope } from '../scopes/resolve-scope.ts'
import type { AuthorizationCode } from './authorization-codes.ts'
import type { Grant, GrantDeps, GrantRequest } from './grant.ts'
import { requireParameter } from './token-parameters.ts'

const invalidCode = (reason: string): AppError =>
  new AppError('invalid_grant', { detail: `The provided grant is invalid: ${reason}.` })

/** RFC 7636 4.1. */
const CODE_VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

/** RFC 7636 4.6: BASE64URL(SHA256(code_verifier)) is the challenge. */
const isVerifierOf = (challenge: string, verifier: string): boolean => {
  const expected = Buffer.from(challenge)
  const actual = Buffer.from(createHash('sha256').update(verifier, 'ascii').digest('base64url'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

const requireSameRequest = (code: AuthorizationCode, { client, parameters }: GrantRequest): void => {
  if (code.clientId !== client.credential.clientId) throw invalidCode('the code was issued to another client')
  if (code.redirectUri !== parameters.redirect_uri) {
    throw invalidCode('redirect_uri differs from the one of the authorization request')
  }
  requireVerifier(code, parameters)
}

const requireVerifier = (
  { codeChallenge }: AuthorizationCode,
  parameters: GrantRequest['parameters'],
): void => {
  if (codeChallenge === undefined) {
    // Somebody took the challenge out of the client's request (RFC 9700 4.8.2, PKCE downgrade).
    if (parameters.code_verifier !== undefined)
      throw invalidCode('code_verifier was sent, but the authorization request had no code_challenge')
    return
  }
  const verifier = requireParameter(parameters, 'code_verifier')
  if (!CODE_VERIFIER.test(verifier))
    throw invalidCode('code_verifier must be 43 to 128 letters, digits, "-", ".", "_" or "~"')
  if (!isVerifierOf(codeChallenge, verifier))
    throw invalidCode('code_verifier does not match the code challenge')
}

/** A new password ends what the old one gave, codes too. */
const requireSamePassword = ({ passwordMark }: AuthorizationCode, user: User): void => {
  if (passwordMark !== undefined && passwordMark !== user.passwordMark)
    throw invalidCode('the user who gave consent has another password since')
}

const endFamily = (
  familyId: bigint,
  { credential }: GrantRequest['client'],
  refreshTokens: GrantDeps['refreshTokens'],
): Promise<void> =>
  refreshTokens.revokeFamily(familyId, {
    actor: clientActor(credential),
    action: 'authorization_code.replay',
    subject: { type: 'refresh_families', id: String(familyId) },
    organizationId: credential.organization.id,
    details: { credential: credential.id },
  })

const takeCode = async (
  text: string,
  client: GrantRequest['client'],
  { codes, refreshTokens }: GrantDeps,
): Promise<AuthorizationCode> => {
  const code = await codes.take(text)
  if (code !== undefined) return code
  const exchanged = await codes.recordReplay(text, client.credential.clientId)
  if (exchanged !== undefined) await endFamily(BigInt(exchanged.familyId), client, refreshTokens)
  throw invalidCode('the code is unknown, expired or already used')
}

/** Runs once the tokens exist, so that a second use of the code finds what to end. */
const rememberExchange = async (
  text: string,
  client: GrantRequest['client'],
  refreshToken: string | undefined,
  { codes, refreshTokens }: GrantDeps,
): Promise<void> => {
  const begun = refreshToken === undefined ? undefined : await refreshTokens.find(refreshToken)
  if (begun === undefined) throw new Error('an exchanged code began no refresh family')
  const exchanged = { clientId: client.credential.clientId, familyId: String(begun.familyId) }
  if (!(await codes.recordExchange(text, exchanged))) return
  await endFamily(begun.familyId, client, refreshTokens)
  throw invalidCode('the code was used twice at once')
}

export const authorizationCode: Grant = {
  name: 'authorization_code',
  kinds: ['webapp'],
  requiredParameters: ['code', 'redirect_uri'],
  isSecretRequired: true,
  run: async (request, deps) => {
    const { client, parameters } = request
    const text = requireParameter(parameters, 'code')
    const code = await takeCode(text, client, deps)
    requireSameRequest(code, request)
    const user = await deps.users.findActive(client.credential.organization.id, code.userId)
    if (user === undefined) throw invalidCode('the user who gave consent no longer exists')
    requireSamePassword(code, user)
    // The scope was fixed when the code was asked for (auth.md 2.5).
    const situation = { grant: 'authorization_code', isRecalculation: false } as const
    return {
      scope: await resolveScope(code.scope, client.credential, situation, deps.scopeFacts),
      owner: { type: 'User', id: user.id },
      role: user.role,
      // A code that is replayed revokes its tokens (RFC 6749 4.1.2); they must be its own.
      isReusable: false,
      refresh: { kind: 'begin', grant: 'authorization_code', passwordMark: user.passwordMark },
      afterIssue: (answer) => rememberExchange(text, client, answer.refresh_token, deps),
    }
  },
}
