/** JSON Schemas of the internal endpoints; everything else is 400 bad_request with a pointer to each violation. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import { compile } from '@merx/validation/compile'
import type { Result } from '@merx/validation/compile'
import { toViolationErrors } from '@merx/validation/violation-errors'

export interface EnvironmentName {
  readonly organization_id: string
  readonly mode: 'test' | 'live'
}

export interface ScopeReference {
  readonly type: 'market' | 'store' | 'stock_location'
  readonly by: 'id' | 'code'
  readonly value: string
}

export interface ScopesRequest extends EnvironmentName {
  readonly references: readonly ScopeReference[]
}

export interface CredentialsRequest extends EnvironmentName {
  readonly email: string
  readonly password: string
  /** The caller's client sent wrong passwords lately. */
  readonly is_guessing?: boolean
}

export interface EnvironmentRequest extends EnvironmentName {
  readonly slug: string
  readonly name: string
}

export interface FeedQuery {
  readonly after?: string
  readonly limit?: string
  readonly wait_seconds?: string
}

export interface FeedLeaseRequest {
  readonly store: string
  readonly holder: string
  readonly ttl_ms: number
  readonly above: number
  readonly after?: string
  readonly report?: Readonly<Record<string, unknown>>
}

export interface SettingsRequest extends EnvironmentName {
  /** Name → value; null is the default. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** One event, or a time; with nothing what failed for the last time. */
export interface ResendRequest {
  readonly event_id?: string
  readonly from?: string
  readonly to?: string
}

const organizationName = { organization_id: { type: 'string', pattern: '^[a-zA-Z]{10,14}$' } }

const environmentName = {
  ...organizationName,
  mode: { enum: ['test', 'live'] },
}

const closed = (properties: Readonly<Record<string, unknown>>, optional: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

const REFERENCES_MAX = 50

/** What a shop's customer typed reaches this: whatever it is, it is looked for, and not found. */
const text = { type: 'string', maxLength: 4096 }

const orBadRequest =
  <T>(parse: (value: unknown) => Result<T>): ((value: unknown) => T) =>
  (value) => {
    const result = parse(value)
    if (result.ok) return result.value
    throw toViolationErrors(result.violations, 'bad_request')
  }

export const parseScopesRequest = orBadRequest(
  compile<ScopesRequest>(
    closed({
      ...environmentName,
      references: {
        type: 'array',
        maxItems: REFERENCES_MAX,
        items: closed({
          type: { enum: ['market', 'store', 'stock_location'] },
          by: { enum: ['id', 'code'] },
          value: text,
        }),
      },
    }),
  ),
)

export const parseCredentialsRequest = orBadRequest(
  compile<CredentialsRequest>(
    closed({ ...environmentName, email: text, password: text, is_guessing: { type: 'boolean' } }, [
      'is_guessing',
    ]),
  ),
)

export const parseOrganizationName = orBadRequest(
  compile<Pick<EnvironmentName, 'organization_id'>>(closed(organizationName)),
)

export const parseEnvironmentName = orBadRequest(compile<EnvironmentName>(closed(environmentName)))

const SETTINGS_MAX = 100

export const parseSettingsRequest = orBadRequest(
  compile<SettingsRequest>(
    closed({
      ...environmentName,
      settings: { type: 'object', minProperties: 1, maxProperties: SETTINGS_MAX },
    }),
  ),
)

export const parseEnvironmentRequest = orBadRequest(
  compile<EnvironmentRequest>(
    closed({
      ...environmentName,
      slug: { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
      name: { type: 'string', minLength: 1, maxLength: 255 },
    }),
  ),
)

const INSTANT = { type: 'string', format: 'date-time' }

export const parseResendRequest = orBadRequest(
  compile<ResendRequest>({
    ...closed({ event_id: { type: 'string', maxLength: 40 }, from: INSTANT, to: INSTANT }, [
      'event_id',
      'from',
      'to',
    ]),
    dependencies: { to: ['from'] },
  }),
)

export const FEED_LIMIT_MAX = 500

const feedQuery = orBadRequest(
  compile<FeedQuery>(
    closed(
      {
        after: { type: 'string', minLength: 1, maxLength: 200 },
        limit: { type: 'string', pattern: '^([1-9][0-9]?|[1-4][0-9]{2}|500)$' },
        wait_seconds: { type: 'string', pattern: '^(1?[0-9]|2[0-5])$' },
      },
      ['after', 'limit', 'wait_seconds'],
    ),
  ),
)

const LEASE_MS_MAX = 60_000

/** A lease of 0 ms gives it back. `after` is the place up to which the store is filled. */
export const parseFeedLeaseRequest = orBadRequest(
  compile<FeedLeaseRequest>(
    closed(
      {
        store: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
        holder: { type: 'string', pattern: '^[a-zA-Z0-9-]{1,64}$' },
        ttl_ms: { type: 'integer', minimum: 0, maximum: LEASE_MS_MAX },
        above: { type: 'integer', minimum: 0, maximum: 4_294_967_294 },
        after: { type: 'string', minLength: 1, maxLength: 200 },
        report: { type: 'object', maxProperties: 50 },
      },
      ['after', 'report'],
    ),
  ),
)

/** The query of the feed; its violations name parameters instead of pointers. */
export const parseFeedQuery = (query: unknown): FeedQuery => {
  try {
    return feedQuery(query)
  } catch (error) {
    throw error instanceof AppErrors ? new AppErrors(error.errors.map(namingParameter)) : error
  }
}

const namingParameter = ({ code, title, detail, source }: AppError): AppError =>
  new AppError(code, { title, detail, source: { parameter: source?.pointer?.slice(1) ?? '' } })
