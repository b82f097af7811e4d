/** GET /internal/applications/:id: what core shows of a token's own credential. Never its secret. */
import { AppError } from '@merx/errors/app-error'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router, type RequestHandler } from 'express'
import { isPublicKind, type Credential } from '../clients/credential.ts'
import { ALL_MARKETS } from '../scopes/parse-scope.ts'

export interface ApplicationsRouteDeps {
  readonly findById: (id: string) => Promise<Credential | undefined>
}

const toApiApplication = (credential: Credential) => ({
  id: credential.id,
  name: credential.name,
  kind: credential.kind,
  public_access: isPublicKind(credential.kind),
  redirect_uri: credential.redirectUri ?? null,
  scopes: ALL_MARKETS,
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
