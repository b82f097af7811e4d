/** /metrics of a service, by OpenTelemetry's Prometheus exporter. */
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import type { CollectionResult } from '@opentelemetry/sdk-metrics'
import { PROCESS, type MetricsHandler } from './metrics.ts'

/** Version 0.0.4 is the only one of the text format; scrapers warn where it is not named. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Opens no port. A process may hold several services: each exporter shows the meter of one, and that of the process. */
export class ServiceExporter extends PrometheusExporter {
  readonly #meters: ReadonlySet<string>

  constructor(service: string) {
    super({ preventServerStart: true, withoutScopeInfo: true })
    this.#meters = new Set([service, PROCESS])
  }

  override async collect(...options: Parameters<PrometheusExporter['collect']>): Promise<CollectionResult> {
    const { resourceMetrics, errors } = await super.collect(...options)
    const scopeMetrics = resourceMetrics.scopeMetrics.filter(({ scope }) => this.#meters.has(scope.name))
    return { resourceMetrics: { ...resourceMetrics, scopeMetrics }, errors }
  }

  readonly handle: MetricsHandler = (request, response) => {
    this.getMetricsRequestHandler(request, response)
    response.setHeader('Content-Type', CONTENT_TYPE) // the exporter sets one without version, and writes later
  }
}
