/** {auth_url}/provisioning: what an organization's administrators may see and change of it. */
import { AppError } from '@merx/errors/app-error'
import { allowCrossOrigin } from '@merx/http/cross-origin'
import { jsonBody } from '@merx/http/json-body'
import { methodNotAllowed, optionsOnly } from '@merx/http/method-not-allowed'
import type { Operation, ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseExactJson } from '@merx/jsonapi/exact-json'
import { checkAccept, checkContentType, JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import { checkUrlLength } from '@merx/jsonapi/parse-query'
import type { Limiter } from '@merx/rate-limit/create-limiter'
import { limitRequests } from '@merx/rate-limit/limit-requests'
import type { Logger } from '@merx/telemetry/logger'
import { Router, type Request, type RequestHandler } from 'express'
import { ownResources, provisionedResources } from '../../provisioning/resources/index.ts'
import { createSavedQuestionStore } from '../../store/saved-question-store.ts'
import { answerJsonApiErrors } from '../json-api-errors.ts'
import { noStore } from '../no-store.ts'
import { requireAdministrator, requireSignedIn, type AdministratorDeps } from './administrator.ts'
import { handleCreate, handleDelete, handleList, handleRetrieve, handleUpdate } from './handlers.ts'
import { PATH, type ProvisioningRequestDeps } from './request.ts'
import { savedQuestionHandlers } from './saved-questions.ts'

export interface ProvisioningRouteDeps extends AdministratorDeps, ProvisioningRequestDeps {
  readonly limiter: Limiter
  readonly log: Logger
}

/** The longest metadata and restrictions there can be, with room for the rest. */
const BODY_BYTES_MAX = 262_144

/** One endpoint is one resource type; whatever is none shares one. */
const endpointOf = ({ originalUrl }: Request): string => {
  const path = /^\/provisioning\/([^/?]+)/.exec(originalUrl)?.[1] ?? ''
  const isKnown = [provisionedResources, ownResources].some(
    (registry) => registry.findByPath(path) !== undefined,
  )
  return isKnown ? `${PATH}/${path}` : PATH
}

const checkUrl: RequestHandler = (req, _res, next) => {
  checkUrlLength(req.originalUrl)
  next()
}

const negotiate: RequestHandler = (req, _res, next) => {
  checkAccept(req.get('accept'))
  next()
}

const readDocument: readonly RequestHandler[] = [
  (req, _res, next) => {
    checkContentType(req.get('content-type'))
    next()
  },
  jsonBody({
    accept: [JSON_API_MEDIA_TYPE],
    parse: parseExactJson,
    limitBytes: BODY_BYTES_MAX,
    wrongType: 'unsupported_media_type',
    malformed: 'bad_request',
    tooLarge: 'payload_too_large',
  }),
]

type Methods = Readonly<Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', readonly RequestHandler[]>>>

const serve = (router: Router, path: string, methods: Methods): void => {
  const route = router.route(path).all(negotiate)
  if (methods.GET !== undefined) route.get(...methods.GET)
  if (methods.POST !== undefined) route.post(...methods.POST)
  if (methods.PATCH !== undefined) route.patch(...methods.PATCH)
  if (methods.DELETE !== undefined) route.delete(...methods.DELETE)
  route.all(methodNotAllowed(Object.keys(methods), 'method_not_allowed'))
}

const serveResource = (
  router: Router,
  definition: ResourceDefinition,
  deps: ProvisioningRequestDeps,
): void => {
  const has = (operation: Operation): boolean => definition.operations.includes(operation)
  serve(router, `/${definition.path}`, {
    ...(has('list') ? { GET: [handleList(definition, deps)] } : {}),
    ...(has('create') ? { POST: [...readDocument, handleCreate(definition, deps)] } : {}),
  })
  serve(router, `/${definition.path}/:id`, {
    ...(has('retrieve') ? { GET: [handleRetrieve(definition, deps)] } : {}),
    ...(has('update') ? { PATCH: [...readDocument, handleUpdate(definition, deps)] } : {}),
    ...(has('delete') ? { DELETE: [handleDelete(definition, deps)] } : {}),
  })
}

/** What users have of their own: any role will do. */
const serveOwn = (router: Router, deps: ProvisioningRouteDeps): void => {
  const signedIn = requireSignedIn(deps)
  const { list, create, update, remove } = savedQuestionHandlers({
    ...deps,
    store: createSavedQuestionStore(deps.database, deps.clock),
  })
  serve(router, '/saved_questions', {
    GET: [signedIn, list],
    POST: [signedIn, ...readDocument, create],
  })
  serve(router, '/saved_questions/:id', {
    PATCH: [signedIn, ...readDocument, update],
    DELETE: [signedIn, remove],
  })
}

/** Every other address below /provisioning needs an administrator's token, known or not. */
export const provisioningRoutes = (deps: ProvisioningRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  const limit = limitRequests({
    limiter: deps.limiter,
    // Both modes have the same budget: what is provisioned belongs to neither.
    budget: (req) => ({ class: 'provisioning', mode: 'live', endpoint: endpointOf(req) }),
    exceeded: 'too_many_requests',
  })
  const resources = Router({ caseSensitive: true })
  for (const definition of provisionedResources.definitions) serveResource(resources, definition, deps)
  const own = Router({ caseSensitive: true })
  serveOwn(own, deps)
  router.use(
    PATH,
    allowCrossOrigin({ methods: ['GET', 'POST', 'PATCH', 'DELETE'] }),
    noStore,
    limit,
    checkUrl,
    optionsOnly(resources),
    own,
    requireAdministrator(deps),
  )
  router.use(PATH, resources, () => {
    throw new AppError('not_found')
  })
  router.use(PATH, answerJsonApiErrors(deps.log))
  return router
}
