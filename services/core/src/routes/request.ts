/** What every handler works with: who asks, what they may see, and how the answer is rendered. */
import { callerOf } from '@merx/access-token/authenticate'
import type { Caller } from '@merx/access-token/caller'
import { originOf } from '@merx/http/host'
import type { RenderContext } from '@merx/jsonapi/attributes'
import type { Registry } from '@merx/jsonapi/registry'
import type { Clock } from '@merx/telemetry/clock'
import type { Request, Response } from 'express'
import type { SealedValues } from '../imports/sealed-values.ts'
import type { JobRunner } from '../jobs/job-runner.ts'
import type { SignedUrls } from '../jobs/signed-urls.ts'
import { mayReadFile } from '../policies/job-files.ts'
import { may } from '../policies/permissions.ts'
import type { RequestScope } from '../policies/request-scope.ts'
import { withoutBroken } from '../policies/restrictions.ts'
import type { Unchanged } from '../store/catalogue-watch.ts'
import type { Database } from '../store/database.ts'
import type { CodeStarts } from '../store/kept-upkeep.ts'
import type { NumberSource } from '../store/number-source.ts'
import type { Reading } from '../store/read-includes.ts'
import type { ReadScope } from '../store/read-scope.ts'
import { createRecords } from '../store/records.ts'
import type { RunStatement } from '../store/run-statement.ts'

export interface RouteDeps {
  readonly registry: Registry
  readonly database: Pick<Database, 'transaction'>
  /** Of rows that are written. */
  readonly numbers: NumberSource
  readonly run: RunStatement
  readonly readScope: ReadScope
  readonly clock: Clock
  readonly codeStarts?: CodeStarts
  readonly signedUrls: Pick<SignedUrls, 'sign'>
  readonly sealedValues: Pick<SealedValues, 'seal'>
  /** Workers of imports and exports. */
  readonly jobs: Pick<JobRunner, 'wake'>
  /** Where links start when the service stands behind an address of its own; else the request's own. */
  readonly publicBaseUrl?: string | undefined
}

/** Who asks what, and what they may see now; enough to give an answer again that was given before. */
export interface AskedRequest {
  readonly caller: Caller
  readonly scope: RequestScope
  /** Where links in the answer start. */
  readonly baseUrl: string
  /** The raw query, without the question mark. */
  readonly query: string
  /** What was read of the catalogue and is still true; only there for callers whose scope depends on it. */
  readonly unchanged?: Unchanged | undefined
}

export interface CoreRequest extends AskedRequest {
  readonly reading: Reading
  readonly render: RenderContext
}

/** Call it after authentication. */
export const askRequest = async (req: Request, res: Response, deps: RouteDeps): Promise<AskedRequest> => {
  const baseUrl = deps.publicBaseUrl ?? originOf(req)
  const { scope, unchanged } = await deps.readScope(callerOf(res))
  return {
    caller: withoutBroken(callerOf(res), deps.registry),
    scope,
    baseUrl,
    query: queryOf(req.originalUrl),
    unchanged,
  }
}

/** With what it takes to read and to render. */
export const toCoreRequest = (asked: AskedRequest, deps: RouteDeps): CoreRequest => {
  const { registry, run, codeStarts, signedUrls } = deps
  const { caller, scope, baseUrl } = asked
  return {
    ...asked,
    reading: {
      run,
      registry,
      scope,
      records: createRecords(registry, scope.environmentId, scope.restrictions),
      mayRead: (type) => may(caller, type, 'related'),
      ...(codeStarts === undefined ? {} : { codeStarts }),
    },
    render: {
      mode: caller.mode,
      organizationId: caller.organization.id,
      baseUrl,
      isConfidential: caller.application.isConfidential,
      customClaim: caller.customClaim,
      fileUrl: (job) =>
        mayReadFile(job, { caller, scope, registry })
          ? baseUrl + signedUrls.sign(String(job['file_key']))
          : null,
    },
  }
}

/** Call it after authentication. */
export const openRequest = async (req: Request, res: Response, deps: RouteDeps): Promise<CoreRequest> =>
  toCoreRequest(await askRequest(req, res, deps), deps)

/** After a write: what was read before it no longer counts. */
export const readAfresh = (request: CoreRequest): CoreRequest => {
  const { reading } = request
  const { environmentId, restrictions } = reading.scope
  const records = createRecords(reading.registry, environmentId, restrictions)
  return { ...request, reading: { ...reading, records } }
}

/** The id in the address of a resource; routes that use it have `:id` in their path. */
export const idOf = ({ params }: Request): string => {
  const { id } = params
  return typeof id === 'string' ? id : ''
}

/** Everything after the first question mark. */
export const queryOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}
