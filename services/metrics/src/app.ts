/** The two applications of the service: the metrics interface, and the internal one with health. */
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { encodeMetrics } from '@merx/errors/encode-metrics'
import { createApp } from '@merx/http/create-app'
import { allowCrossOrigin } from '@merx/http/cross-origin'
import { finishApp } from '@merx/http/finish-app'
import { healthRoutes, type HealthOptions } from '@merx/http/health'
import type { Logger } from '@merx/telemetry/logger'
import type { Express } from 'express'
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
  const app = createApp({ service: 'metrics', log, trustProxy, malformed, ...dialect })
  // Dashboards call from pages; a preflight carries no token, so it is answered before one is asked for.
  app.use(allowCrossOrigin({ methods: ['POST'] }))
  app.use('/metrics', metricsRoutes(deps))
  finishApp(app, { notFound: 'metrics_not_found', malformed, log, ...dialect })
  return app
}

export interface InternalAppDeps {
  readonly ready: HealthOptions['ready']
  readonly ingester: Ingester | undefined
}

/** `/health/*` and `/internal/ingest`: how late the store is. It holds no data, so it needs no key. */
export const createInternalApp = (deps: InternalAppDeps, { log, trustProxy }: AppOptions): Express => {
  const dialect = { encodeError: encodeJsonApi, internalError: 'internal_server_error' } as const
  const app = createApp({ service: 'metrics', log, trustProxy, ...dialect })
  app.use(healthRoutes({ ready: deps.ready, log }))
  app.get('/internal/ingest', (_req, res) => {
    const { hasCaughtUp, lagMs, failures } = deps.ingester?.status() ?? {}
    res.json({ has_caught_up: hasCaughtUp ?? null, lag_ms: lagMs ?? null, failures: failures ?? 0 })
  })
  finishApp(app, { notFound: 'not_found', log, ...dialect })
  return app
}
