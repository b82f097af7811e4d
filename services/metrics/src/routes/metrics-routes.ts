/** `POST /metrics/<resource>/<kind>` and `/metrics/analysis/fbt`. The checks run in one fixed order. */
import { authenticate, callerOf } from '@merx/access-token/authenticate'
import type { Verifier } from '@merx/access-token/verifier'
import { AppError } from '@merx/errors/app-error'
import { requestIdOf } from '@merx/http/dialect'
import type { OwnHosts } from '@merx/http/host'
import { jsonBody } from '@merx/http/json-body'
import { requireMediaType } from '@merx/http/media-type'
import { methodError, sendAllow } from '@merx/http/method-not-allowed'
import type { Limiter } from '@merx/rate-limit/create-limiter'
import { limitRequests } from '@merx/rate-limit/limit-requests'
import { limitUnauthorized } from '@merx/rate-limit/limit-unauthorized'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Catalogue, Fbt } from '../catalogue/attribute.ts'
import type { KnownMarkets } from '../engine/known-markets.ts'
import { presentMeta } from '../present/meta.ts'
import { limits } from '../request/limits.ts'
import { readRestrictionOf } from '../request/read-restriction.ts'
import { mayReadOf } from '../request/readable-types.ts'
import { scopeOf } from '../request/scope.ts'
import { violationsError } from '../request/violations.ts'
import { answerFbt, type FbtRequest } from '../run/answer-fbt.ts'
import { answerQuery } from '../run/answer-query.ts'
import { exportRecords } from '../run/export-records.ts'
import type { QueryDeps } from '../run/plan-query.ts'
import { requireRead } from './authorize.ts'
import { requireVersion } from './require-version.ts'
import { sendLines } from './send-lines.ts'
import {
  createFindTarget,
  endpointOf,
  subjectOf,
  type AnswerTarget,
  type ExportTarget,
  type FindTarget,
  type Target,
} from './target.ts'
import { unlessGone } from './unless-gone.ts'

const MEDIA_TYPE = 'application/vnd.api+json'

export interface MetricsRoutesDeps extends QueryDeps {
  readonly verifier: Verifier
  readonly hosts: Pick<OwnHosts, 'isFor'>
  readonly limiter: Limiter
  readonly catalogue: Catalogue
  readonly fbt: Fbt
  readonly markets: KnownMarkets
}

const readBody = jsonBody({
  accept: [MEDIA_TYPE],
  limitBytes: limits.bodyBytesMax,
  wrongType: 'metrics_content_type_not_set',
  malformed: 'metrics_request_not_valid',
  tooLarge: 'metrics_payload_too_large',
})

/** Reads the body; a malformed one is named in `meta.errors`, as every 400 of this interface is. */
const readBodyOrExplain: RequestHandler = async (req, res, next) => {
  try {
    await readBody(req, res, () => undefined)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'metrics_request_not_valid') throw error
    throw violationsError(error.code, [{ path: ['body'], message: error.detail ?? 'not valid' }])
  }
  next()
}

const requirePost: RequestHandler = (req, _res, next) => {
  if (req.method !== 'POST') throw methodError(req.method, ['POST'], 'metrics_method_not_allowed')
  next()
}

/** Probes send OPTIONS without a token. With a token it is a query by another method than POST, so 405 (contract). */
const answerOptions =
  (findTarget: FindTarget): RequestHandler =>
  (req, res, next) => {
    const isProbe = req.method === 'OPTIONS' && req.headers.authorization === undefined
    if (isProbe && findTarget(req.path) !== undefined) sendAllow(res, ['POST'])
    else next()
  }

/** Aborts when the connection closes before the answer is sent. */
const signalOf = (res: Response): AbortSignal => {
  const gone = new AbortController()
  res.on('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  return gone.signal
}

const requireTarget = (findTarget: FindTarget, req: Request): Target => {
  const target = findTarget(req.path)
  if (target === undefined) throw new AppError('metrics_not_found')
  return target
}

const handleQuery = (deps: MetricsRoutesDeps, findTarget: FindTarget): RequestHandler => {
  const answer = answerQuery(deps)
  const fbt = answerFbt(deps, deps.fbt)
  const linesOf = exportRecords(deps)

  const sendAnswer = async (res: Response, target: AnswerTarget, asked: FbtRequest) => {
    const { kind, resource } = target
    const [answered, marketIds] = await Promise.all([
      kind === 'fbt' ? fbt(asked) : answer({ kind, resource, ...asked }),
      deps.markets.of(asked.scope),
    ])
    const meta = presentMeta({ kind, traceId: requestIdOf(res), scope: asked.scope, marketIds, answered })
    res
      .status(200)
      .type(MEDIA_TYPE)
      .send(JSON.stringify({ data: answered.data, meta }))
  }

  const sendExport = async (res: Response, { kind, resource }: ExportTarget, asked: FbtRequest) => {
    await sendLines(res, await linesOf({ kind, resource, ...asked }))
  }

  return async (req, res) => {
    const target = requireTarget(findTarget, req)
    const caller = callerOf(res)
    const scope = scopeOf(caller, readRestrictionOf(caller, subjectOf(target)))
    const { body } = req as { readonly body: unknown }
    const asked = { body, scope, mayRead: mayReadOf(caller), signal: signalOf(res) }
    const sent = target.kind === 'export' ? sendExport(res, target, asked) : sendAnswer(res, target, asked)
    await unlessGone(asked.signal, sent)
  }
}

/** Order of the checks: 401, 429, 405, 406, 415, 404, then the body. */
export const metricsRoutes = (deps: MetricsRoutesDeps): Router => {
  const { verifier, hosts, limiter, catalogue, fbt } = deps
  const findTarget = createFindTarget(catalogue, fbt)
  const router = Router()
  router.use(
    answerOptions(findTarget),
    authenticate({
      verifier,
      isFor: (req, slug) => hosts.isFor(req, slug),
      missing: 'metrics_unauthorized',
      invalid: 'metrics_unauthorized',
      unavailable: 'metrics_engine_unavailable',
    }),
    requireRead((req) => subjectOf(findTarget(req.path))),
    limitRequests({
      limiter,
      budget: (req, res) => ({
        class: 'metrics',
        mode: callerOf(res).mode,
        endpoint: endpointOf(findTarget(req.path)),
      }),
      exceeded: 'metrics_too_many_requests',
    }),
    requirePost,
    requireVersion,
    requireMediaType([MEDIA_TYPE], 'metrics_content_type_not_set'),
    (req, res, next) => {
      requireTarget(findTarget, req)
      res.locals.route = `/metrics${req.path}` // one of the targets, so of a known number
      next()
    },
    readBodyOrExplain,
    handleQuery(deps, findTarget),
  )
  router.use(
    limitUnauthorized({
      limiter,
      unauthorized: 'metrics_unauthorized',
      exceeded: 'metrics_too_many_requests',
      endpoint: '/metrics',
    }),
  )
  return router
}
