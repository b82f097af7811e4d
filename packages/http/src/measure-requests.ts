/**
 * Rate, errors and duration of every route, and why requests are refused. Each request costs a look into two maps and
 * three additions, well below a microsecond; series are found once per route, method and class of status.
 */
import { metricsOf, type CounterSeries, type HistogramSeries, type Instrument } from '@merx/telemetry/metrics'
import type { OnAnswered } from './access-log.ts'
import { routeOf } from './route-of.ts'

/** Seconds. From a token out of memory to the longest query there may be. */
const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
const TOO_MANY = 429
const MILLISECONDS = 1_000
const ROUTES_MAX = 5_000

interface Instruments {
  readonly durations: Instrument<HistogramSeries>
  readonly errors: Instrument<CounterSeries>
  readonly limited: Instrument<CounterSeries>
  readonly aborted: CounterSeries
}

const defined = new Map<string, Instruments>()

/** Of the service, whatever number of listeners it has. */
const instrumentsOf = (service: string): Instruments => {
  const known = defined.get(service)
  if (known !== undefined) return known
  const metrics = metricsOf(service)
  const made: Instruments = {
    durations: metrics.histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Requests by listener, method, route template and class of status, and how long they took.',
      labels: ['listener', 'method', 'route', 'status_class'],
      bounds: DURATION_BOUNDS,
    }),
    errors: metrics.counter({
      name: 'merx_errors',
      help: 'Errors answered, by code (docs/reference/errors.md).',
      labels: ['listener', 'code'],
    }),
    limited: metrics.counter({
      name: 'merx_rate_limited',
      help: 'Requests refused with 429, by route.',
      labels: ['route'],
    }),
    aborted: metrics
      .counter({ name: 'merx_aborted_requests', help: 'Requests whose caller went away before the answer.' })
      .of(),
  }
  defined.set(service, made)
  return made
}

/** A route of a resource stands for that of all: `/api/skus/:id/prices` is `/api/:type/:id/:relationship`. */
const withoutTypes = (route: string): string => {
  const [prefix, type, id, ...rest] = route.slice(1).split('/')
  if ((prefix !== 'api' && prefix !== 'provisioning') || type === undefined || type.includes('.'))
    return route
  const parts = [`/${prefix}/:type`, ...(id === undefined ? [] : [id]), ...rest.slice(0, -1)]
  return [...parts, ...(rest.length === 0 ? [] : [':relationship'])].join('/')
}

/** @param name of createApp: `auth` or `auth-internal` @returns to be told of every answer */
export const measureRequests = (name: string): OnAnswered => {
  const [service = name, inside] = name.split('-')
  const listener = inside ?? 'public'
  const { durations, errors, limited, aborted } = instrumentsOf(service)
  /** By method, route and class of status: no name is put together for each request. */
  const series = new Map<string, Map<string, HistogramSeries[]>>()

  const seriesOf = (method: string, route: string, statusClass: number): HistogramSeries => {
    const shown = METHODS.has(method) ? method : 'other'
    let byRoute = series.get(shown)
    if (byRoute === undefined) {
      byRoute = new Map<string, HistogramSeries[]>()
      series.set(shown, byRoute)
    }
    let byStatus = byRoute.get(route)
    if (byStatus === undefined) {
      byStatus = []
      if (byRoute.size < ROUTES_MAX) byRoute.set(route, byStatus)
    }
    return (byStatus[statusClass] ??= durations.of(listener, shown, withoutTypes(route), `${statusClass}xx`))
  }

  return ({ req, res, ms, isAborted }) => {
    const route = routeOf(req, res) ?? 'none'
    seriesOf(req.method, route, Math.floor(res.statusCode / 100)).record(ms / MILLISECONDS)
    const { errorCodes } = res.locals as { errorCodes?: readonly string[] }
    if (errorCodes !== undefined) for (const code of errorCodes) errors.of(listener, code).add()
    if (res.statusCode === TOO_MANY) limited.of(withoutTypes(route)).add()
    if (isAborted) aborted.add()
  }
}
