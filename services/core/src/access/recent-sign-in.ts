/** Requires a recent sign-in of a customer who changes their email or password (docs/adr/0069-a-customers-new-password.md). */
import type { Caller } from '@merx/access-token/caller'
import { AppError, AppErrors } from '@merx/errors/app-error'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'

export const RECENT_SIGN_IN_SECONDS = 900

const DETAIL = 'requires a sign-in within the last 15 minutes; sign in again and repeat the request.'

/** RFC 9470 3: how a client learns that a newer sign-in would do. */
const CHALLENGE = `Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="${RECENT_SIGN_IN_SECONDS}"`

/** Throws AppErrors of `unauthorized`, one for each of `guarded` that the request sends. */
export const requireRecentSignIn = (
  request: WriteRequest,
  guarded: readonly string[],
  { owner, signedInAt }: Caller,
  now: Date,
): void => {
  if (owner?.type !== 'Customer') return
  const ageMs = now.getTime() - (signedInAt?.getTime() ?? -Infinity)
  if (ageMs <= RECENT_SIGN_IN_SECONDS * 1000) return
  const sent = sentNames(request)
  const errors = guarded
    .filter((name) => sent.has(name))
    .map(
      (name) =>
        new AppError('unauthorized', {
          detail: `To change "${name}" ${DETAIL}`,
          source: { pointer: `/data/attributes/${name}` },
          headers: { 'WWW-Authenticate': CHALLENGE },
        }),
    )
  if (errors.length > 0) throw new AppErrors(errors)
}
