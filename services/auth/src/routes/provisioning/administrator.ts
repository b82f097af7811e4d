/** Requires a user who signed in to a webapp of their organization: an administrator, or somebody with any role. */
import type { Mode } from '@merx/access-token/caller'
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { AppError } from '@merx/errors/app-error'
import type { RequestHandler, Response } from 'express'
import type { AdministratorReader, SignedInUser } from '../../store/administrator-store.ts'
import { bearerTokenOf, invalidToken } from '../bearer-token.ts'

export interface AdministratorDeps {
  readonly readLiveClaims: (token: string) => Promise<AccessTokenClaims | undefined>
  readonly administrators: AdministratorReader
}

interface SignedIn extends SignedInUser {
  /** Of the token; what is provisioned belongs to both. */
  readonly mode: Mode
}

interface Locals {
  signedIn?: SignedIn
}

type Find = (claims: AccessTokenClaims) => Promise<SignedInUser | undefined>

/** @throws AppError invalid_token, or unauthorized when the token is valid but nobody's who may */
const requireUser =
  (readLiveClaims: AdministratorDeps['readLiveClaims'], find: Find, detail: string): RequestHandler =>
  async (req, res, next) => {
    const token = bearerTokenOf(req)
    const claims = token === undefined ? undefined : await readLiveClaims(token)
    if (claims === undefined) throw invalidToken(req)
    const user = await find(claims)
    if (user === undefined) throw new AppError('unauthorized', { detail })
    const locals = res.locals as Locals
    locals.signedIn = { ...user, mode: claims.test ? 'test' : 'live' }
    next()
  }

export const requireAdministrator = ({ readLiveClaims, administrators }: AdministratorDeps): RequestHandler =>
  requireUser(
    readLiveClaims,
    (claims) => administrators.findBy(claims),
    'Provisioning is for users with the admin role who signed in to a webapp of the organization themselves.',
  )

export const requireSignedIn = ({ readLiveClaims, administrators }: AdministratorDeps): RequestHandler =>
  requireUser(
    readLiveClaims,
    (claims) => administrators.findSignedIn(claims),
    'This is for users who signed in to a webapp of the organization themselves.',
  )

/** After requireAdministrator or requireSignedIn. */
export const signedInOf = (res: Response): SignedIn => {
  const { signedIn } = res.locals as Locals
  if (signedIn === undefined) throw new Error('nobody was asked who they are')
  return signedIn
}
