/** GET /api/openapi.json: what this interface serves, as OpenAPI 3.1, made from the definitions once. */
import { readFileSync } from 'node:fs'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router } from 'express'
import type { Registry } from '../engine/registry.ts'
import { buildOpenApi } from './openapi/build-openapi.ts'

/** RFC 9512 names only YAML; this is what OpenAPI's own registry says of JSON. */
const MEDIA_TYPE = 'application/vnd.oai.openapi+json;version=3.1'

/** For every caller with a token: it tells nothing about an organization. */
export const openApiRoutes = (registry: Registry): Router => {
  const body = Buffer.from(JSON.stringify(buildOpenApi(registry, versionOfCore())))
  const router = Router({ caseSensitive: true })
  router
    .route('/openapi.json')
    .get((_req, res) => {
      res.setHeader('Content-Type', MEDIA_TYPE)
      res.setHeader('Content-Length', body.byteLength)
      res.setHeader('Cache-Control', 'private, max-age=3600')
      res.end(body)
    })
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  return router
}

const versionOfCore = (): string => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
