/** The two applications of the service: the metrics interface, and the internal one with health. */
import type { Secret } from '@merx/config/secret'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { encodeMetrics } from '@merx/errors/encode-metrics'
import { createApp } from '@merx/http/create-app'
import { allowCrossOrigin } from '@merx/http/cross-origin'
import { finishApp } from '@merx/http/finish-app'
import { healthRoutes, type HealthOptions } from '@merx/http/health'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import type { RawErrorCodes } from '@merx/http/raw-errors'
import { requireServiceKey } from '@merx/http/service-key'
import type { Logger } from '@merx/telemetry/logger'
import type { Express } from 'express'
import { toWireStatus } from './ingest/ingest-status.ts'
import type { Ingester } from './ingest/ingester.ts'
import { metricsRoutes, type MetricsRoutesDeps } from './routes/metrics-routes.ts'

interface AppOptions {
  readonly log: Logger
  readonly trustProxy: number
}

/** Everything under `/metrics`; any other path is a 404 of the same dialect. */
export const createMetricsApp = (deps: MetricsRoutesDeps, { log, trustProxy }: AppOptions): Express => {
  const dialect = { encodeError: encodeMetrics, internalError: 'metrics_internal' } as const
  const malformed = 'metrics_request_not_valid'
  const app = createApp({
    service: 'metrics',
    log,
    trustProxy,
    malformed,
    // A wrong name in the path is a 404, however it is written (contract, "Status codes").
    undecodablePaths: 'unknown',
    ...dialect,
  })
  // Dashboards call from pages; a preflight carries no token, so it is answered before one is asked for.
  app.use(allowCrossOrigin({ methods: ['POST'] }))
  app.use('/metrics', metricsRoutes(deps))
  finishApp(app, { notFound: 'metrics_not_found', malformed, log, ...dialect })
  return app
}

/** Errors of what never became a request. */
export const rawErrors: RawErrorCodes = {
  encodeError: encodeMetrics,
  malformed: 'metrics_request_not_valid',
  headersTooLarge: 'metrics_headers_too_large',
  timeout: 'metrics_request_timeout',
}

export interface InternalAppDeps {
  readonly ready: HealthOptions['ready']
  readonly ingester: Ingester | undefined
  /** Gives the generation that is live when the rebuild is done. */
  readonly requestRebuild: () => Promise<number>
  readonly serviceKey: Secret
}

/**
 * `/health/*`; `/internal/ingest`: how late the store is, which holds no data, so it needs no key; and
 * `/internal/ingest/rebuild`, which costs work, so it needs one.
 */
export const createInternalApp = (deps: InternalAppDeps, { log, trustProxy }: AppOptions): Express => {
  const dialect = { encodeError: encodeJsonApi, internalError: 'internal_server_error' } as const
  const app = createApp({ service: 'metrics-internal', log, trustProxy, ...dialect })
  const ingest = () => (deps.ingester === undefined ? null : toWireStatus(deps.ingester.status()))
  const details = () => ({ ingest: ingest() })
  const only = (method: string) => methodNotAllowed([method], 'method_not_allowed')
  app.use(healthRoutes({ ready: deps.ready, details, log }))
  app
    .route('/internal/ingest')
    .get((_req, res) => {
      res.json(ingest())
    })
    .all(only('GET'))
  app
    .route('/internal/ingest/rebuild')
    .post(requireServiceKey(deps.serviceKey), async (_req, res) => {
      const generation = await deps.requestRebuild()
      log.info({ generation }, 'a rebuild of the analytics store was requested')
      res.status(202).json({ generation })
    })
    .all(only('POST'))
  finishApp(app, { notFound: 'not_found', log, ...dialect })
  return app
}
