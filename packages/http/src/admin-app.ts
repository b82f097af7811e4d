/**
 * Serves operators and their machines: /health/live, /health/ready and /metrics on the internal listener, from before
 * the first dependency answers until after the last request. Everything else goes to the service's own internal app.
 */
import type { RequestListener } from 'node:http'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import type { Logger } from '@merx/telemetry/logger'
import { metricsHandlerOf } from '@merx/telemetry/metrics'
import { Router } from 'express'
import { createApp } from './create-app.ts'
import { finishApp } from './finish-app.ts'
import { methodNotAllowed } from './method-not-allowed.ts'

/** Where a process stands; `waitingFor` names what does not answer yet, and why. */
export type Phase =
  | { readonly name: 'starting'; readonly waitingFor: Readonly<Record<string, string>> }
  | { readonly name: 'serving'; readonly internalApp: RequestListener }
  | { readonly name: 'draining'; readonly internalApp: RequestListener | undefined }

/** `GET /metrics`: the metrics of `service` in Prometheus's text format; a path like any unknown one while they are off. */
export const metricsRoute = (service: string): Router => {
  const router = Router({ caseSensitive: true })
  const handle = metricsHandlerOf(service)
  if (handle === undefined) return router
  router
    .route('/metrics')
    .get((req, res) => {
      res.setHeader('Cache-Control', 'no-store')
      handle(req, res)
    })
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  return router
}

const RETRY_SECONDS = '1'

const healthOf = (phase: () => Phase): Router => {
  const router = Router({ caseSensitive: true })
  router.get('/health/live', (_req, res) => {
    res.setHeader('Cache-Control', 'no-store').json({ status: 'ok' })
  })
  router.get('/health/ready', (_req, res) => {
    const now = phase()
    res.setHeader('Cache-Control', 'no-store').setHeader('Retry-After', RETRY_SECONDS)
    res.status(503).json({
      status: now.name,
      ...(now.name === 'starting' ? { waiting_for: now.waitingFor } : {}),
    })
  })
  return router
}

const pathOf = (url = '/'): string => url.split('?', 1)[0] ?? '/'

/** Readiness is the internal app's own answer while serving; in every other phase it is no, with the reason. */
export const createAdminApp = (service: string, phase: () => Phase, log: Logger): RequestListener => {
  const app = createApp({
    service: `${service}-internal`,
    log,
    trustProxy: 0,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  app.use(metricsRoute(service), healthOf(phase))
  finishApp(app, { notFound: 'service_unavailable', log })
  return (req, res) => {
    const now = phase()
    const path = pathOf(req.url)
    const isOwn = path === '/metrics' || (path === '/health/ready' && now.name !== 'serving')
    const { internalApp } = now.name === 'starting' ? { internalApp: undefined } : now
    if (isOwn || internalApp === undefined) app(req, res)
    else internalApp(req, res)
  }
}
