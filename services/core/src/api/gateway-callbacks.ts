/** POST of an external gateway that answered 202 before: no token; the signature says who sends it. */
import { AppError } from '@merx/errors/app-error'
import { createTextReader } from '@merx/http/body-text'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import type { Limiter } from '@merx/rate-limit/create-limiter'
import { limitRequests } from '@merx/rate-limit/limit-requests'
import { Router } from 'express'
import type { RequestHandler } from 'express'
import type { OutsideDeps } from '../engine/write/outside-calls.ts'
import { SIGNATURE_HEADER, isSignedWith } from '../outside/signature.ts'
import { takeCallback } from '../payments/outside/callback.ts'
import { findExternalGateway } from '../payments/outside/find-external-gateway.ts'

const readText = createTextReader({
  limitBytes: 100_000,
  wrongType: 'unsupported_media_type',
  malformed: 'invalid_data_format',
  tooLarge: 'payload_too_large',
})

export interface CallbackDeps {
  readonly outside: OutsideDeps
  readonly limiter: Limiter
}

export const gatewayCallbacks = (deps: CallbackDeps, path: string): Router => {
  const router = Router({ caseSensitive: true })
  // One budget for all that one address sends; whether it is test or live is known to the gateway alone.
  const budget = () => ({ class: 'write', mode: 'live', endpoint: path }) as const
  const limit = limitRequests({ limiter: deps.limiter, budget, exceeded: 'too_many_requests' })
  router
    .route(`${path}/:id`)
    .post(limit, handleCallback(deps))
    .all(methodNotAllowed(['POST'], 'method_not_allowed'))
  return router
}

const handleCallback =
  ({ outside }: CallbackDeps): RequestHandler =>
  async (req, res) => {
    const text = await readText(req, res)
    const gateway = await findExternalGateway(String(req.params['id']), outside)
    const signature = req.get(SIGNATURE_HEADER) ?? ''
    // The same answer whether the gateway or the signature is wrong; an unknown one is checked against nobody's secret.
    const secret = outside.secretBox.derive(gateway?.shared_secret ?? '')
    if (!isSignedWith(text, secret, signature) || gateway === undefined)
      throw new AppError('unauthorized', {
        detail: `The header ${SIGNATURE_HEADER} must be the signature of the body with the secret of the gateway.`,
      })
    await takeCallback(gateway, text, outside)
    res.status(204).end()
  }
