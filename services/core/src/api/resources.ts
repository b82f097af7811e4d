/** Builds the routes of all definitions. Each operation is in its own file. */
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import type { Operation, ResourceDefinition } from '@merx/jsonapi/define-resource'
import { mayWrite } from '@merx/jsonapi/writable-members'
import type { SetChange } from '@merx/jsonapi/write-request'
import { Router } from 'express'
import type { RequestHandler } from 'express'
import { handleHistory } from './history.ts'
import { handleLinkageWrite } from './linkage-write.ts'
import { handleList } from './list.ts'
import { BODY_BYTES_MAX, negotiate, readDocument } from './negotiate.ts'
import { handleLinkage, handleRelated } from './related.ts'
import { handleRetrieve } from './retrieve.ts'
import { handleSingleton } from './singletons.ts'
import type { SingletonDeps } from './singletons.ts'
import { handleCreate, handleDelete, handleUpdate } from './write.ts'

/**
 * Every address of every resource; a method that an address does not have is 405 with Allow. A router tries its routes
 * one after the other, so each resource has one of its own, found by the first part of the path.
 */
export const resourceRoutes = (deps: SingletonDeps): RequestHandler => {
  const routers = new Map<string, Router>()
  for (const definition of deps.registry.definitions) {
    const router = Router({ caseSensitive: true })
    if (definition.isSingleton) serveSingleton(router, definition, deps)
    else serveResource(router, definition, deps)
    routers.set(definition.path, router)
  }
  return (req, res, next) => {
    const router = routers.get(firstPartOf(req.path))
    if (router === undefined) next()
    else router(req, res, next)
  }
}

/** `skus` of `/skus/x/prices`. */
const firstPartOf = (path: string): string => {
  const end = path.indexOf('/', 1)
  return end < 0 ? path.slice(1) : path.slice(1, end)
}

type Methods = Readonly<Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', readonly RequestHandler[]>>>

const serveResource = (router: Router, definition: ResourceDefinition, deps: SingletonDeps): void => {
  const has = (operation: Operation): boolean => definition.operations.includes(operation)
  const { path } = definition
  serve(router, `/${path}`, {
    ...(has('list') ? { GET: [handleList(definition, deps)] } : {}),
    ...(has('create')
      ? { POST: [readDocument(bodyLimitOf(definition, deps)), handleCreate(definition, deps)] }
      : {}),
  })
  serve(router, `/${path}/:id`, {
    ...(has('retrieve') ? { GET: [handleRetrieve(definition, deps)] } : {}),
    ...(has('update')
      ? { PATCH: [readDocument(bodyLimitOf(definition, deps)), handleUpdate(definition, deps)] }
      : {}),
    ...(has('delete') ? { DELETE: [handleDelete(definition, deps)] } : {}),
  })
  for (const [name, relationship] of Object.entries(definition.relationships)) {
    if (!relationship.endpoint) continue
    if (name === deps.registry.facts.history) {
      serveHistory(router, `/${path}/:id`, definition, name, deps)
      continue
    }
    const related = handleRelated(definition, name, relationship, deps)
    const linkage = handleLinkage(definition, name, relationship, deps)
    serve(router, `/${path}/:id/${name}`, { GET: [related] })
    serve(router, `/${path}/:id/relationships/${name}`, {
      GET: [linkage],
      ...(has('update') ? linkageWrites(definition, name, deps) : {}),
    })
  }
}

/** None where an update of the resource may not name the relationship. */
const linkageWrites = (definition: ResourceDefinition, name: string, deps: SingletonDeps): Methods => {
  const relationship = definition.relationships[name]
  if (relationship === undefined || !mayWrite(relationship.write, 'update')) return {}
  const change = (setChange: SetChange) => [
    readDocument(bodyLimitOf(definition, deps)),
    handleLinkageWrite(definition, name, setChange, deps),
  ]
  const replace = { PATCH: change('replace') }
  if (relationship.kind !== 'toMany') return replace
  return { ...replace, POST: change('add'), DELETE: change('remove') }
}

/** Clients put the id of what the token says in the address of a relationship, the links of the answer do not. */
const serveSingleton = (router: Router, definition: ResourceDefinition, deps: SingletonDeps): void => {
  const { path, relationships } = definition
  serve(router, `/${path}`, { GET: [handleSingleton(definition, deps)] })
  const { history } = deps.registry.facts
  if (history === undefined || relationships[history] === undefined) return
  serveHistory(router, `/${path}`, definition, history, deps)
  serveHistory(router, `/${path}/:id`, definition, history, deps)
}

const serveHistory = (
  router: Router,
  path: string,
  definition: ResourceDefinition,
  type: string,
  deps: SingletonDeps,
): void => {
  const history = deps.registry.require(type)
  serve(router, `${path}/${type}`, { GET: [handleHistory(definition, history, deps)] })
  serve(router, `${path}/relationships/${type}`, { GET: [handleHistory(definition, history, deps, true)] })
}

const bodyLimitOf = ({ type }: ResourceDefinition, { registry }: SingletonDeps): number =>
  registry.facts.bodyBytesMax[type] ?? BODY_BYTES_MAX

/**
 * 405 comes before 406: what cannot be done is worth saying first. An address without any method, such as that of a
 * collection that can neither be listed nor added to, is none.
 */
const serve = (router: Router, path: string, methods: Methods): void => {
  const allowed = Object.keys(methods)
  if (allowed.length === 0) return
  const route = router.route(path)
  const allow: RequestHandler = (req, res, next) => {
    const method = req.method === 'HEAD' ? 'GET' : req.method
    if (allowed.includes(method)) next()
    else methodNotAllowed(allowed, 'method_not_allowed')(req, res, next)
  }
  route.all(allow, negotiate)
  if (methods.GET !== undefined) route.get(...methods.GET)
  if (methods.POST !== undefined) route.post(...methods.POST)
  if (methods.PATCH !== undefined) route.patch(...methods.PATCH)
  if (methods.DELETE !== undefined) route.delete(...methods.DELETE)
}
