/** Requires an administrator: a user with the admin role, signed in to a webapp of their organization. */
import type { Mode } from '@merx/access-token/caller'
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { AppError } from '@merx/errors/app-error'
import type { RequestHandler, Response } from 'express'
import type { Administrator } from '../../provisioning/administrator-guard.ts'
import type { AdministratorReader } from '../../store/administrator-store.ts'
import { bearerTokenOf, invalidToken } from '../bearer-token.ts'

export interface AdministratorDeps {
  readonly readLiveClaims: (token: string) => Promise<AccessTokenClaims | undefined>
  readonly administrators: AdministratorReader
}

interface SignedIn extends Administrator {
  /** Of the token; what is provisioned belongs to both. */
  readonly mode: Mode
}

interface Locals {
  administrator?: SignedIn
}

/** @throws AppError invalid_token, or unauthorized when the token is valid but no administrator's */
export const requireAdministrator =
  ({ readLiveClaims, administrators }: AdministratorDeps): RequestHandler =>
  async (req, res, next) => {
    const token = bearerTokenOf(req)
    const claims = token === undefined ? undefined : await readLiveClaims(token)
    if (claims === undefined) throw invalidToken(req)
    const administrator = await administrators.findBy(claims)
    if (administrator === undefined) {
      throw new AppError('unauthorized', {
        detail:
          'Provisioning is for users with the admin role who signed in to a webapp of the organization themselves.',
      })
    }
    const locals = res.locals as Locals
    locals.administrator = { ...administrator, mode: claims.test ? 'test' : 'live' }
    next()
  }

/** After requireAdministrator. */
export const administratorOf = (res: Response): SignedIn => {
  const { administrator } = res.locals as Locals
  if (administrator === undefined) throw new Error('nobody was asked who they are')
  return administrator
}
