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
import { act, readerOf } from './act.ts'
import { requireRoleStill, roleInOrganizationViolation } from './find-records.ts'
import { nameViolation, requireNoViolations, type Violations } from './input-rules.ts'
import { noteColumns, type Notes } from './notes.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'
import { redirectUriViolation } from './redirect-uri-violation.ts'

export interface CredentialInput extends Notes {
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

type OfKind = Partial<CredentialInput> & Pick<CredentialInput, 'kind'>

const redirectViolation = ({ kind, redirectUri }: OfKind): string | undefined => {
  if (redirectUri !== undefined) return redirectUriViolation(redirectUri)
  return kind === 'webapp' ? 'is required for credentials of kind webapp' : undefined
}

const roleViolation = ({ kind, roleId }: OfKind): string | undefined => {
  if (kind === 'integration')
    return roleId === undefined ? 'is required for credentials of kind integration' : undefined
  return roleId === undefined ? undefined : 'can be assigned to credentials of kind integration only'
}

/** Undefined is fine: the default of the kind. */
export const lifetimeViolation = (expiresIn: number | undefined): string | undefined =>
  expiresIn === undefined || isCustomLifetimeAllowed(expiresIn)
    ? undefined
    : `must be a whole number of seconds from ${CUSTOM_LIFETIME_SECONDS_MIN} to ${CUSTOM_LIFETIME_SECONDS_MAX}`

/** What is wrong with a new credential; a value that is absent is a violation only where its kind needs it. */
export const credentialViolations = (input: OfKind): Violations => ({
  name: input.name === undefined ? undefined : nameViolation(input.name),
  redirect_uri: redirectViolation(input),
  expires_in: lifetimeViolation(input.expiresIn),
  role: roleViolation(input),
})

/** @throws AppErrors validation_error */
export const createCredential = async (
  input: CredentialInput,
  deps: ProvisioningDeps,
): Promise<CreatedCredential> => {
  const { organizationId, roleId, mode, kind, name } = input
  const violations = credentialViolations(input)
  const foreign = await roleInOrganizationViolation(organizationId, roleId, readerOf(deps))
  requireNoViolations({ ...violations, role: violations['role'] ?? foreign })
  const clientId = createOpaqueToken()
  const clientSecret = createOpaqueToken()
  return act(organizationId, deps, async (transaction, at) => {
    await requireRoleStill(organizationId, roleId, transaction)
    const row = await transaction.credential.create({
      data: {
        organizationId: requireRowId('organizations', organizationId),
        roleId: roleId === undefined ? null : requireRowId('roles', roleId),
        ...{ mode, kind, name, clientId },
        secretHash: hashOpaqueToken(clientSecret),
        redirectUri: input.redirectUri ?? null,
        expiresInSeconds: input.expiresIn ?? null,
        ...noteColumns(input),
        createdAt: at,
        updatedAt: at,
      },
    })
    const id = toPublicId('applications', row.id)
    const subject = { type: 'credentials', id }
    const details = { client_id: clientId, mode, kind, name }
    const event = {
      actor: deps.actor,
      action: 'credential.create',
      subject,
      organizationId,
      details,
    } as const
    await appendAudit(transaction, event, at)
    return { id, clientId, clientSecret }
  })
}
