/** GET /internal/applications/:id: what core shows of a token's own credential. Never its secret. */
import { ALL_MARKETS } from '@merx/access-token/parse-scope'
import { AppError } from '@merx/errors/app-error'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router, type RequestHandler } from 'express'
import { isPublicKind } from '../clients/credential.ts'
import type { StoredCredential } from '../store/credential-store.ts'

export interface ApplicationsRouteDeps {
  readonly findById: (id: string) => Promise<StoredCredential | undefined>
}

/** What administrators noted is theirs; the token of a public credential is in the hands of every visitor of a shop. */
const notesOf = ({ kind, reference, referenceOrigin, metadata }: StoredCredential) =>
  isPublicKind(kind)
    ? { reference: null, reference_origin: null, metadata: {} }
    : { reference, reference_origin: referenceOrigin, metadata }

const toApiApplication = (credential: StoredCredential) => ({
  id: credential.id,
  name: credential.name,
  kind: credential.kind,
  public_access: isPublicKind(credential.kind),
  redirect_uri: credential.redirectUri ?? null,
  scopes: ALL_MARKETS,
  created_at: credential.createdAt,
  updated_at: credential.updatedAt,
  ...notesOf(credential),
})

const handleApplication =
  ({ findById }: ApplicationsRouteDeps): RequestHandler<{ id: string }> =>
  async (req, res) => {
    const credential = await findById(req.params.id)
    if (credential === undefined) throw new AppError('record_not_found')
    res.json(toApiApplication(credential))
  }

export const applicationsRoutes = (deps: ApplicationsRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/internal/applications/:id')
    .get(handleApplication(deps))
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  return router
}
