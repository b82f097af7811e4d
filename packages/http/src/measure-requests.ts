/** Rate, errors and duration of every route, and why requests are refused. */
import { meterOf } from '@merx/telemetry/metrics'
import type { OnAnswered } from './access-log.ts'
import { routeOf } from './route-of.ts'

/** Seconds. From a cached token to the longest query there may be. */
const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
const TOO_MANY = 429
const MILLISECONDS = 1_000
/** The route of a request that no route answered. */
const NO_ROUTE = 'none'

const createInstruments = (service: string) => {
  const meter = meterOf(service)
  const instruments = {
    durations: meter.createHistogram('http_server_request_duration_seconds', {
      description:
        'Requests by listener, method, route template and class of status, and how long they took.',
      advice: { explicitBucketBoundaries: DURATION_BOUNDS },
    }),
    errors: meter.createCounter('merx_errors', {
      description: 'Errors answered, by code (docs/reference/errors.md).',
    }),
    limited: meter.createCounter('merx_rate_limited', {
      description: 'Requests refused with 429, by route.',
    }),
    aborted: meter.createCounter('merx_aborted_requests', {
      description: 'Requests whose caller closed the connection before the answer.',
    }),
  }
  // Shown before the first.
  instruments.limited.add(0, { route: NO_ROUTE })
  instruments.aborted.add(0)
  return instruments
}

/** A route of a resource stands for that of all: `/api/skus/:id/prices` is `/api/:type/:id/:relationship`. */
const withoutTypes = (route: string): string => {
  const [prefix, type, id, ...rest] = route.slice(1).split('/')
  if ((prefix !== 'api' && prefix !== 'provisioning') || type === undefined || type.includes('.'))
    return route
  const parts = [`/${prefix}/:type`, ...(id === undefined ? [] : [id]), ...rest.slice(0, -1)]
  return [...parts, ...(rest.length === 0 ? [] : [':relationship'])].join('/')
}

/** @param name of createApp: `auth` or `auth-internal` @returns called for every answer */
export const measureRequests = (name: string): OnAnswered => {
  const [service = name, inside] = name.split('-')
  const listener = inside ?? 'public'
  const { durations, errors, limited, aborted } = createInstruments(service)
  return ({ req, res, answeredMs, isAborted }) => {
    const route = withoutTypes(routeOf(req, res) ?? NO_ROUTE)
    const method = METHODS.has(req.method) ? req.method : 'other'
    const status_class = `${Math.floor(res.statusCode / 100)}xx`
    durations.record(answeredMs / MILLISECONDS, { listener, method, route, status_class })
    const { errorCodes = [] } = res.locals as { errorCodes?: readonly string[] }
    for (const code of errorCodes) errors.add(1, { listener, code })
    if (res.statusCode === TOO_MANY) limited.add(1, { route })
    if (isAborted) aborted.add(1)
  }
}
