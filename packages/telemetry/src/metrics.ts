/** Meters of the services of this process; the instruments are OpenTelemetry's. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { metrics, type Attributes, type Meter } from '@opentelemetry/api'

/** Writes the metrics of a service as the response, in Prometheus's text format. */
export type MetricsHandler = (request: IncomingMessage, response: ServerResponse) => void

let handlers: ReadonlyMap<string, MetricsHandler> = new Map()

/** Called by the SDK when it starts and stops; by service. */
export const setMetricsHandlers = (given: ReadonlyMap<string, MetricsHandler>): void => {
  handlers = given
}

/** Undefined while metrics are off. */
export const metricsHandlerOf = (service: string): MetricsHandler | undefined => handlers.get(service)

/** Whether metrics are collected in this process. */
export const areMetricsOn = (): boolean => handlers.size > 0

/** The meter whose metrics /metrics of every service of this process shows: memory, processor time, event loop. */
export const PROCESS = 'process'

/**
 * The meter of a service. Before startTelemetry it is one that measures nothing, and so are the instruments it made:
 * see instrumentsOf.
 */
export const meterOf = (service: string): Meter => metrics.getMeter(service)

/**
 * The instruments of a service, made when the first is used.
 *
 *     const instruments = instrumentsOf('auth', (meter) => ({ tokens: meter.createCounter('merx_auth_tokens') }))
 *     instruments().tokens.add(1, { grant: 'password' })
 */
export const instrumentsOf = <T>(service: string, create: (meter: Meter) => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= create(meterOf(service)))
}

/** One value, or one for each combination of labels; undefined when there is none yet. */
export type Reading = number | undefined | Iterable<readonly [Attributes, number]>

/** `name` without `_total`, which Prometheus's counters get. */
export interface Observation {
  readonly name: string
  readonly description: string
  readonly read: () => Reading | Promise<Reading>
  /** It never falls while the process lives. */
  readonly isCounter?: boolean
}

const valuesOf = (reading: Reading): Iterable<readonly [Attributes, number]> => {
  if (reading === undefined) return []
  return typeof reading === 'number' ? [[{}, reading]] : reading
}

/**
 * Reads a value at each scrape. One that throws is missing from that scrape and counted in `merx_metrics_failures_total`,
 * so that it does not hide the others.
 *
 * @returns ends it
 */
export const observe = (
  service: string,
  { name, description, read, isCounter = false }: Observation,
): (() => void) => {
  const meter = meterOf(service)
  const failures = meter.createCounter('merx_metrics_failures', {
    description: 'Metrics that could not be read at a scrape, by name.',
  })
  failures.add(0, { metric: name }) // Prometheus sees no increase of a series that begins at 1
  const instrument = isCounter
    ? meter.createObservableCounter(name, { description })
    : meter.createObservableGauge(name, { description })
  const callback: Parameters<typeof instrument.addCallback>[0] = async (result) => {
    try {
      for (const [labels, value] of valuesOf(await read())) result.observe(value, labels)
    } catch {
      failures.add(1, { metric: name })
    }
  }
  instrument.addCallback(callback)
  return () => instrument.removeCallback(callback)
}
