/** The context of every handler of provisioning: the caller, its query, and how the answer is rendered. */
import type { OwnHosts } from '@merx/http/host'
import type { RenderContext } from '@merx/jsonapi/attributes'
import type { Clock } from '@merx/telemetry/clock'
import type { Request, Response } from 'express'
import { userActor } from '../../audit/actors.ts'
import type { ActContext } from '../../provisioning/acts/acts.ts'
import { createAdministratorGuard } from '../../provisioning/administrator-guard.ts'
import type { ProvisioningDeps } from '../../provisioning/provisioning-deps.ts'
import { provisionedResources } from '../../provisioning/resources/index.ts'
import type { Database } from '../../store/prisma-client.ts'
import { createProvisionedReader, type ProvisionedReader } from '../../store/provisioned-reader.ts'
import { signedInOf } from './administrator.ts'

export interface ProvisioningRequestDeps {
  readonly database: Database
  readonly core: ProvisioningDeps['core']
  readonly clock: Clock
  readonly hosts: Pick<OwnHosts, 'originOf'>
}

export const PATH = '/provisioning'

export interface ProvisioningRequest {
  readonly reader: ProvisionedReader
  readonly context: ActContext
  readonly render: RenderContext
  /** The raw query, without the question mark. */
  readonly query: string
  /** Sees what was written since. */
  readAfresh(): ProvisionedReader
}

export const queryOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

/** The id in the address of a resource. */
export const idOf = ({ params }: Request): string => {
  const { id } = params
  return typeof id === 'string' ? id : ''
}

export const renderContextOf = (
  req: Request,
  res: Response,
  { hosts }: Pick<ProvisioningRequestDeps, 'hosts'>,
): RenderContext => {
  const { organizationId, mode } = signedInOf(res)
  return {
    ...{ mode, organizationId, path: PATH, isConfidential: false },
    baseUrl: hosts.originOf(req, 'auth'),
  }
}

export const openRequest = (
  req: Request,
  res: Response,
  deps: ProvisioningRequestDeps,
): ProvisioningRequest => {
  const administrator = signedInOf(res)
  const { organizationId } = administrator
  const { database, core, clock } = deps
  const read = () => createProvisionedReader(provisionedResources, database, organizationId)
  const guard = createAdministratorGuard(administrator)
  return {
    reader: read(),
    readAfresh: read,
    context: { organizationId, deps: { database, core, clock, actor: userActor(administrator), guard } },
    render: renderContextOf(req, res, deps),
    query: queryOf(req.originalUrl),
  }
}
