import type { Mode } from '@merx/access-token/caller'
import { createOpaqueToken, hashOpaqueToken } from '../clients/client-secret.ts'
import type { CredentialKind } from '../clients/credential.ts'
import {
  CUSTOM_LIFETIME_SECONDS_MAX,
  CUSTOM_LIFETIME_SECONDS_MIN,
  isCustomLifetimeAllowed,
} from '../clients/lifetimes.ts'
import { appendAudit } from '../store/audit-store.ts'
import { requireRowId, toPublicId } from '../store/public-ids.ts'
import { nameFault, redirectUriFault, requireFaultless } from './input-rules.ts'
import type { ProvisioningDeps } from './provisioning.ts'

export interface CredentialInput {
  readonly organizationId: string
  readonly mode: Mode
  readonly kind: CredentialKind
  readonly name: string
  /** Webapps need one. */
  readonly redirectUri?: string
  /** Custom lifetime of access tokens in seconds, 7200 to 1296000. */
  readonly expiresIn?: number
  /** Integrations need one; no other kind has one. */
  readonly roleId?: string
}

export interface CreatedCredential {
  readonly id: string
  readonly clientId: string
  readonly clientSecret: string
}

const redirectFault = ({ kind, redirectUri }: CredentialInput): string | undefined => {
  if (redirectUri !== undefined) return redirectUriFault(redirectUri)
  return kind === 'webapp' ? 'is required for credentials of kind webapp' : undefined
}

const roleFault = ({ kind, roleId }: CredentialInput): string | undefined => {
  if (kind === 'integration')
    return roleId === undefined ? 'is required for credentials of kind integration' : undefined
  return roleId === undefined ? undefined : 'can be assigned to credentials of kind integration only'
}

/** Undefined is fine: the default of the kind. */
export const lifetimeFault = (expiresIn: number | undefined): string | undefined =>
  expiresIn === undefined || isCustomLifetimeAllowed(expiresIn)
    ? undefined
    : `must be a whole number of seconds from ${CUSTOM_LIFETIME_SECONDS_MIN} to ${CUSTOM_LIFETIME_SECONDS_MAX}`

export const createCredential = async (
  input: CredentialInput,
  deps: ProvisioningDeps,
): Promise<CreatedCredential> => {
  const { database, actor, clock } = deps
  requireFaultless({
    name: nameFault(input.name),
    redirect_uri: redirectFault(input),
    expires_in: lifetimeFault(input.expiresIn),
    role: roleFault(input),
  })
  const organizationId = requireRowId('organizations', input.organizationId)
  const roleId = input.roleId === undefined ? null : requireRowId('roles', input.roleId)
  const role =
    roleId === null ? undefined : await database.role.findFirst({ where: { id: roleId, organizationId } })
  requireFaultless({ role: role === null ? 'must be a role of the same organization' : undefined })

  const clientId = createOpaqueToken()
  const clientSecret = createOpaqueToken()
  const at = clock.now()
  const id = await database.$transaction(async (transaction) => {
    const row = await transaction.credential.create({
      data: {
        organizationId,
        roleId,
        mode: input.mode,
        kind: input.kind,
        name: input.name,
        clientId,
        secretHash: hashOpaqueToken(clientSecret),
        redirectUri: input.redirectUri ?? null,
        expiresInSeconds: input.expiresIn ?? null,
        createdAt: at,
      },
    })
    const subject = { type: 'credentials', id: toPublicId('applications', row.id) }
    const details = { client_id: clientId, mode: input.mode, kind: input.kind, name: input.name }
    const event = {
      actor,
      action: 'credential.create',
      subject,
      organizationId: input.organizationId,
      details,
    } as const
    await appendAudit(transaction, event, at)
    return subject.id
  })
  return { id, clientId, clientSecret }
}
