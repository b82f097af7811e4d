/** GET /.well-known/jwks.json: the public halves of the signing keys (RFC 7517 5). */
import { allowCrossOrigin } from '@merx/http/cross-origin'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router } from 'express'
import type { KeyRing } from '../keys/key-ring.ts'

/** Short enough that a new key is known long before it signs; long enough to spare this service. */
const CACHE_SECONDS = 300

export const jwksRoutes = (keys: Pick<KeyRing, 'keySet'>): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/.well-known/jwks.json')
    .all(allowCrossOrigin({ methods: ['GET'] }))
    .get((_req, res) => {
      res.setHeader('Cache-Control', `public, max-age=${CACHE_SECONDS}`)
      // Browsers verify tokens too, from any origin. Always said: caches keep one answer for everybody.
      res.setHeader('Access-Control-Allow-Origin', '*')
      res.json(keys.keySet())
    })
    .all(methodNotAllowed(['GET'], 'oauth_method_not_allowed'))
  return router
}
