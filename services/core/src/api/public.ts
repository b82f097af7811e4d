/** GET /api/public/…: what types there are and what documents of rules look like, for everybody (core-conventions.md 1). */
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import { Router } from 'express'
import type { Registry } from '../engine/registry.ts'
import { RULES_SCHEMAS } from '../rules-engine/rules-schema.ts'
import type { RuleSubject } from '../rules-engine/subjects.ts'
import { manifestOf } from './manifest.ts'
import { limitUrl } from './negotiate.ts'

const SCHEMA_MEDIA_TYPE = 'application/schema+json'

/** Without a token: it tells nothing about an organization. */
export const publicRoutes = (registry: Registry): Router => {
  const router = Router({ caseSensitive: true })
  serve(router, '/resources', JSON_API_MEDIA_TYPE, { data: manifestOf(registry) })
  serve(router, '/schemas/order_rules', SCHEMA_MEDIA_TYPE, schemaOf('order'))
  serve(router, '/schemas/price_rules', SCHEMA_MEDIA_TYPE, schemaOf('price'))
  return router
}

const schemaOf = (subject: RuleSubject): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...RULES_SCHEMAS[subject],
})

/** The documents are the same for everybody until the next release, so that they are made once. */
const serve = (router: Router, path: string, mediaType: string, document: object): void => {
  const body = Buffer.from(JSON.stringify(document))
  router
    .route(path)
    .get(limitUrl, (_req, res) => {
      res.setHeader('Content-Type', mediaType)
      res.setHeader('Content-Length', body.byteLength)
      res.setHeader('Cache-Control', 'public, max-age=3600')
      res.end(body)
    })
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
}
