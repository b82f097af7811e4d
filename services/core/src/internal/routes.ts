/** Core's interface for the other services. Needs the service key; the gateway never routes it. */
import type { Secret } from '@merx/config/secret'
import { AppError } from '@merx/errors/app-error'
import { jsonBody } from '@merx/http/json-body'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { requireServiceKey } from '@merx/http/service-key'
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { Registry } from '@merx/jsonapi/registry'
import { Router } from 'express'
import type { RequestHandler } from 'express'
import type { Database } from '../engine/database/database.ts'
import { takeFeedLease } from '../order-feed/feed-lease.ts'
import type { OrderFeed } from '../order-feed/order-feed.ts'
import { authenticateCustomer, findCustomer } from './customers.ts'
import type { CustomerFacts } from './customers.ts'
import { putEnvironment } from './environments.ts'
import { listRecordTypes } from './record-types.ts'
import {
  FEED_LIMIT_MAX,
  parseCredentialsRequest,
  parseEnvironmentName,
  parseEnvironmentRequest,
  parseFeedLeaseRequest,
  parseFeedQuery,
  parseOrganizationName,
  parseResendRequest,
  parseScopesRequest,
  parseSettingsRequest,
} from './request-schemas.ts'
import { resolveScopes } from './resolve-scopes.ts'
import { changeSettings, listSettings } from './settings.ts'
import { listWebhooks, resendWebhook, resetWebhook } from './webhooks.ts'

export interface InternalRoutesDeps {
  readonly database: Database
  readonly ids: PublicIds
  readonly registry: Pick<Registry, 'definitions'>
  readonly feed: OrderFeed
  readonly serviceKey: Secret
}

const BODY_BYTES_MAX = 65_536

/** Mounted at the root of the internal app: the paths begin with /internal. */
export const internalRoutes = (deps: InternalRoutesDeps): Router => {
  const router = Router({ caseSensitive: true })
  const body = jsonBody({
    accept: ['application/json'],
    limitBytes: BODY_BYTES_MAX,
    wrongType: 'unsupported_media_type',
    malformed: 'bad_request',
    tooLarge: 'payload_too_large',
  })
  const only = (method: string): RequestHandler => methodNotAllowed([method], 'method_not_allowed')
  router.use('/internal', requireServiceKey(deps.serviceKey))
  router.route('/internal/scopes/resolve').post(body, resolve(deps)).all(only('POST'))
  router.route('/internal/customers/authenticate').post(body, authenticate(deps)).all(only('POST'))
  router.route('/internal/customers/:id').get(customer(deps)).all(only('GET'))
  router.route('/internal/environments').put(body, environment(deps)).all(only('PUT'))
  router
    .route('/internal/settings')
    .get(settings(deps))
    .post(body, settingsChange(deps))
    .all(methodNotAllowed(['GET', 'POST'], 'method_not_allowed'))
  router.route('/internal/record-types').get(recordTypes(deps)).all(only('GET'))
  router.route('/internal/order-feed').get(orderFeed(deps)).all(only('GET'))
  router.route('/internal/order-feed/lease').post(body, feedLease(deps)).all(only('POST'))
  router.route('/internal/webhooks').get(webhooks(deps)).all(only('GET'))
  router.route('/internal/webhooks/:id/resend').post(body, resendOf(deps)).all(only('POST'))
  router.route('/internal/webhooks/:id/reset-circuit').post(body, resetCircuitOf(deps)).all(only('POST'))
  return router
}

const resolve =
  (deps: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    res.json(await resolveScopes(deps, parseScopesRequest(req.body)))
  }

const authenticate =
  (deps: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    res.json(orNotFound(await authenticateCustomer(deps, parseCredentialsRequest(req.body))))
  }

const customer =
  (deps: InternalRoutesDeps): RequestHandler<{ id: string }> =>
  async (req, res) => {
    res.json(orNotFound(await findCustomer(deps, parseEnvironmentName(req.query), req.params.id)))
  }

const orNotFound = (facts: CustomerFacts | undefined): CustomerFacts => {
  if (facts === undefined) throw new AppError('record_not_found', { detail: 'There is no such customer.' })
  return facts
}

const environment =
  ({ database }: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    await putEnvironment(database, parseEnvironmentRequest(req.body))
    res.status(204).end()
  }

const settings =
  ({ database }: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    res.json({ settings: await listSettings(database, parseEnvironmentName(req.query)) })
  }

const settingsChange =
  ({ database }: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    res.json({ settings: await changeSettings(database, parseSettingsRequest(req.body)) })
  }

const recordTypes =
  ({ database, registry }: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    const { organization_id: organizationId } = parseOrganizationName(req.query)
    res.json({ record_types: await listRecordTypes(database, registry, organizationId) })
  }

const orderFeed =
  ({ feed }: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    const { after, limit, wait_seconds: waitSeconds } = parseFeedQuery(req.query)
    const gone = new AbortController()
    res.on('close', () => gone.abort())
    const page = await feed.read({
      after,
      limit: limit === undefined ? FEED_LIMIT_MAX : Number(limit),
      waitMs: Number(waitSeconds ?? 0) * 1000,
      signal: gone.signal,
    })
    res.json(page)
  }

const feedLease =
  ({ database }: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    const { ttl_ms: ttlMs, report = {}, ...request } = parseFeedLeaseRequest(req.body)
    res.json(await takeFeedLease(database, { ...request, ttlMs, report }))
  }

const webhooks =
  (deps: InternalRoutesDeps): RequestHandler =>
  async (req, res) => {
    res.json({ webhooks: await listWebhooks(deps, parseEnvironmentName(req.query)) })
  }

const resendOf =
  (deps: InternalRoutesDeps): RequestHandler<{ id: string }> =>
  async (req, res) => {
    res.json({ count: await resendWebhook(deps, req.params.id, parseResendRequest(req.body)) })
  }

const resetCircuitOf =
  (deps: InternalRoutesDeps): RequestHandler<{ id: string }> =>
  async (req, res) => {
    await resetWebhook(deps, req.params.id)
    res.status(204).end()
  }
