/** What a reader needs to know of each error of metrics. */
import type { metricsErrors } from '../../src/catalogue.ts'
import type { ErrorHelp } from './help-entry.ts'

export const metricsHelp = {
  metrics_request_not_valid: {
    when: 'The body is not a JSON object, has a first-level key that the endpoint does not take, or is nested too deep.',
    todo: 'Send exactly the key of the endpoint (`breakdown`, `date_breakdown`, `search`, `stats`, `export`) and `filter`.',
    example: { meta: { errors: [{ stats: ['not valid'] }] } },
  },
  metrics_filter_blank: {
    when: '`filter` is empty, null or not an object.',
    todo: 'Leave `filter` out, or give it content. Frequently bought together needs one.',
    example: { meta: { errors: [{ filter: ["can't be blank if defined"] }] } },
  },
  metrics_query_blank: {
    when: 'The query object of the endpoint is missing, empty or not an object.',
    todo: 'Send it under the name of the endpoint.',
    example: { meta: { errors: [{ breakdown: ["can't be blank"] }] } },
  },
  metrics_unauthorized: {
    when: 'The token is missing, invalid or expired; it belongs to a sales channel; or the role may not read what the query needs.',
    todo: 'Use an integration or webapp whose role may read orders (or carts, returns). When the title names a type, give the role that permission.',
  },
  metrics_not_found: {
    when: 'No such path: the resource or the kind of query does not exist.',
    todo: 'Use `/metrics/<orders, carts or returns>/<kind>` or `/metrics/analysis/fbt`.',
  },
  metrics_method_not_allowed: {
    when: 'Another method than POST.',
    todo: 'Use POST.',
    example: { headers: { Allow: 'POST' } },
  },
  metrics_version_not_supported: {
    when: '`Accept` names another version than 1.',
    todo: 'Send `Accept: application/vnd.api.v1+json`.',
    example: { source: { header: 'Accept' } },
  },
  metrics_accept_not_set: {
    when: '`Accept` names no version.',
    todo: 'Send `Accept: application/vnd.api.v1+json`.',
    example: { source: { header: 'Accept' } },
  },
  metrics_request_timeout: {
    when: 'The request was not received completely in time.',
    todo: 'Send it again.',
  },
  metrics_payload_too_large: {
    when: 'The body is larger than 64 KB.',
    todo: 'Use shorter lists, or several queries.',
  },
  metrics_content_type_not_set: {
    when: '`Content-Type` is not `application/vnd.api+json`.',
    todo: 'Send `Content-Type: application/vnd.api+json`.',
  },
  metrics_filter_not_valid: {
    when: 'A filter names an unknown attribute or operator, a value of the wrong type, or half of a date range.',
    todo: 'Correct every entry of `meta.errors`; names are in [metrics fields](metrics-fields.md).',
    example: { meta: { errors: [{ order: [{ date_to: ['is required with date_from'] }] }] } },
  },
  metrics_query_not_valid: {
    when: 'The query names an unknown field or operator, or breaks a rule of nesting.',
    todo: 'Correct every entry of `meta.errors`.',
    example: {
      meta: {
        errors: [
          { date_breakdown: [{ operator: ['not valid, valid values are: avg, max, min, sum, stats'] }] },
        ],
      },
    },
  },
  metrics_query_too_large: {
    when: 'The query needs more groups, rows or memory than one query may use.',
    todo: 'Narrow the dates or the filter, lower `limit`, or use a coarser breakdown.',
    example: {
      meta: {
        errors: [
          {
            breakdown: [
              'needs more groups, rows or memory than one query may use; narrow the dates or the filter',
            ],
          },
        ],
      },
    },
  },
  metrics_query_timeout: {
    when: 'The query took longer than `QUERY_TIMEOUT_MS`.',
    todo: 'Narrow the dates or the filter.',
    example: {
      meta: {
        errors: [
          {
            breakdown: [
              'took longer than the 10 seconds that one query may take; narrow the dates or the filter',
            ],
          },
        ],
      },
    },
  },
  metrics_too_many_requests: {
    when: 'More requests than the budget: 200 a minute and 50 in 10 s live, half of it in test.',
    todo: 'Wait as many seconds as `Retry-After` says.',
    example: { headers: { 'Retry-After': '6' } },
  },
  metrics_headers_too_large: {
    when: 'Request line and headers together are larger than 16 KB.',
    todo: 'Send fewer or smaller headers.',
  },
  metrics_internal: { when: 'An error inside Merx.', todo: 'Report it with `meta.trace_id`.' },
  metrics_engine_unavailable: {
    when: 'The analytics engine cannot be reached, or keys and revocations of auth are not known yet.',
    todo: 'Repeat after `Retry-After`. Operators: [MetricsUnreadable](../runbooks/metrics-unreadable.md).',
    example: { headers: { 'Retry-After': '1' } },
  },
  metrics_too_busy: {
    when: 'Too many queries wait.',
    todo: 'Repeat after `Retry-After`, and send fewer queries at once.',
    example: { headers: { 'Retry-After': '1' } },
  },
} as const satisfies Record<keyof typeof metricsErrors, ErrorHelp>
