/** grant_type → the grant; and whether this client may use it. */
import { AppError } from '@merx/errors/app-error'
import type { AuthenticatedClient, CredentialKind } from '../clients/credential.ts'
import type { Grant } from './grant.ts'
import { grants } from './index.ts'
import { requireParameter, type TokenParameters } from './token-parameters.ts'

const grantsOf = (kind: CredentialKind): string =>
  grants
    .filter((grant) => grant.kinds.includes(kind))
    .map((grant) => grant.name)
    .join(', ')

/** @throws AppError invalid_request without grant_type, unsupported_grant_type with an unknown one. */
export const requireGrant = (parameters: TokenParameters): Grant => {
  const name = requireParameter(parameters, 'grant_type')
  const grant = grants.find((candidate) => candidate.name === name)
  if (grant === undefined) {
    throw new AppError('unsupported_grant_type', {
      detail: `The grant type '${name}' is not supported; allowed: ${grants.map((each) => each.name).join(', ')}.`,
    })
  }
  return grant
}

/** @throws AppError unauthorized_client naming the grants that credentials of this kind may use. */
export const requireGrantAllowed = (grant: Grant, { credential }: AuthenticatedClient): void => {
  if (grant.kinds.includes(credential.kind)) return
  throw new AppError('unauthorized_client', {
    detail: `Credentials of kind ${credential.kind} may not use the grant type '${grant.name}'; allowed: ${grantsOf(credential.kind)}.`,
  })
}
