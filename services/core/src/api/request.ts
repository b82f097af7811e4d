/** The context of every handler: the caller, its scope, and how the response is rendered. */
import { callerOf } from '@merx/access-token/authenticate'
import type { OwnHosts } from '@merx/http/host'
import type { RenderContext } from '@merx/jsonapi/attributes'
import type { Clock } from '@merx/telemetry/clock'
import type { Request, Response } from 'express'
import { may } from '../access/permissions.ts'
import { withoutBroken } from '../access/restrictions.ts'
import { fileKeyOf, mayReadFile } from '../bulk/job-files.ts'
import type { SignedUrls } from '../bulk/signed-urls.ts'
import type { Database } from '../engine/database/database.ts'
import type { NumberSource } from '../engine/database/number-source.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { Reading } from '../engine/read/read-includes.ts'
import { createRecords } from '../engine/read/records.ts'
import type { Registry } from '../engine/registry.ts'
import type { KeyedRequest } from '../engine/response-cache/response-key.ts'
import type { ResponseCache } from '../engine/response-cache/with-response-cache.ts'
import type { SecretBox } from '../engine/secret-box.ts'
import type { OutsideDeps } from '../engine/write/outside-calls.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { RowJobs } from '../jobs/row-job.ts'
import type { ReadScope } from '../markets/scope/read-scope.ts'
import { toBytes } from './answer.ts'

export interface RouteDeps {
  readonly registry: Registry
  readonly database: Pick<Database, 'transaction'>
  /** Of rows that are written. */
  readonly numbers: NumberSource
  readonly run: RunStatement
  readonly readScope: ReadScope
  readonly clock: Clock
  readonly responseCache: ResponseCache
  readonly signedUrls: Pick<SignedUrls, 'sign'>
  readonly secretBox: SecretBox
  readonly jobs: Pick<JobQueue, 'enqueue' | 'wake'>
  /** Jobs that writes enqueue. */
  readonly rowJobs: RowJobs
  readonly hosts: Pick<OwnHosts, 'originOf'>
  /** Makes the calls to the outside that writes need. */
  readonly outside: OutsideDeps
}

/** Caller, scope and raw query, with what reading and rendering take. */
export interface CoreRequest extends KeyedRequest {
  readonly reading: Reading
  readonly render: RenderContext
  /** The document as bytes, checked against the permissions of the token's caller. */
  readonly toBytes: (document: unknown) => Buffer
}

/** Call it after authentication. */
export const openRequest = async (req: Request, res: Response, deps: RouteDeps): Promise<CoreRequest> => {
  const { registry, run, readScope, signedUrls, secretBox, clock } = deps
  const baseUrl = deps.hosts.originOf(req, callerOf(res).organization.slug)
  const { scope, dataVersion } = await readScope(callerOf(res))
  const caller = withoutBroken(callerOf(res), registry)
  return {
    caller,
    scope,
    baseUrl,
    query: queryOf(req.originalUrl),
    dataVersion,
    reading: {
      run,
      registry,
      scope,
      records: createRecords(registry, scope.environmentId, scope.restrictions),
      mayRead: (type) => may(caller, type, 'related'),
    },
    render: {
      mode: caller.mode,
      organizationId: caller.organization.id,
      now: clock.now(),
      baseUrl,
      isConfidential: caller.application.isConfidential,
      customClaim: caller.customClaim,
      openSecret: (sealed) => (typeof sealed === 'string' ? String(secretBox.open(sealed)) : null),
      deriveSecret: (seed) => (typeof seed === 'string' ? secretBox.derive(seed) : null),
      fileUrl: (job) =>
        mayReadFile(job, { caller, scope, registry }) ? baseUrl + signedUrls.sign(fileKeyOf(job)) : null,
    },
    toBytes: (document) => toBytes(document, callerOf(res)),
  }
}

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
