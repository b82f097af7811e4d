/** GET /internal/access-state: what core and metrics keep in memory about tokens and roles, long-polled. */
import { AppError } from '@merx/errors/app-error'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router, type RequestHandler } from 'express'
import type { AccessChange, AccessState } from '../roles/access-state.ts'
import { followAccessState, type FollowDeps } from '../roles/follow-access-state.ts'

export interface AccessStateRouteDeps extends FollowDeps {
  /** Aborts when the service stops, so that waiting calls are answered and the listener can close. */
  readonly stopping: AbortSignal
}

const WAIT_SECONDS_MAX = 25

const toApiChange = ({ id, revokedBefore, roleId, expiresAt }: AccessChange) => ({
  id,
  revoked_before: revokedBefore?.toISOString() ?? null,
  role_id: roleId ?? null,
  expires_at: expiresAt.toISOString(),
})

const toApiState = ({ version, revocations, changes, withdrawnKeys, roles }: AccessState) => ({
  version,
  revocations: revocations.map(({ tokenId, expiresAt }) => ({
    jti: tokenId,
    expires_at: expiresAt.toISOString(),
  })),
  roles: roles.map(({ id, kind, permissions }) => ({ id, kind, permissions })),
  applications: changes.filter(({ subject }) => subject === 'application').map(toApiChange),
  withdrawn_keys: withdrawnKeys.map(({ kid, expiresAt }) => ({ kid, expires_at: expiresAt.toISOString() })),
  users: changes.filter(({ subject }) => subject === 'user').map(toApiChange),
})

/** @throws AppError invalid_field_value naming the parameter and its range. */
const readWhole = (name: string, value: unknown, max: number): number => {
  if (value === undefined) return 0
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : NaN
  if (number <= max) return number
  throw new AppError('invalid_field_value', {
    detail: `${name} must be a whole number from 0 to ${max}.`,
    source: { parameter: name },
  })
}

const handleAccessState =
  (deps: AccessStateRouteDeps): RequestHandler =>
  async (req, res) => {
    const after = readWhole('after', req.query['after'], Number.MAX_SAFE_INTEGER)
    const waitSeconds = readWhole('wait_seconds', req.query['wait_seconds'], WAIT_SECONDS_MAX)
    const gone = new AbortController()
    res.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, deps.stopping])
    const state = await followAccessState(deps, { after, waitMs: waitSeconds * 1000, signal })
    res.setHeader('Cache-Control', 'no-store')
    res.json(toApiState(state))
  }

export const accessStateRoutes = (deps: AccessStateRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/internal/access-state')
    .get(handleAccessState(deps))
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  return router
}
