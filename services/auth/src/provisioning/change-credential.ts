/**
 * Changes a credential. ADR 14 says what that means for its tokens: disabling and deleting end all of them at once,
 * a new role acts through those that live, a new secret or lifetime leaves them alone.
 */
import { AppError } from '@merx/errors/app-error'
import type { AuditAction, AuditEvent } from '../audit/audit-event.ts'
import { createOpaqueToken, hashOpaqueToken } from '../clients/client-secret.ts'
import {
  END_OF_TIME,
  recordAccessChange,
  startOfNextSecond,
  type ChangedAccess,
} from '../store/access-changes.ts'
import { appendAudit } from '../store/audit-store.ts'
import type { Prisma } from '../store/generated/client.ts'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import { requireRowId } from '../store/public-ids.ts'
import { act, readerOf } from './act.ts'
import { lifetimeViolation } from './create-credential.ts'
import { requireCredential, roleInOrganizationViolation } from './find-records.ts'
import { nameViolation, requireNoViolations, type Violations } from './input-rules.ts'
import { noteColumns, noteDetails, type Notes } from './notes.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'
import type { CredentialRecord } from './records.ts'
import { redirectUriViolation } from './redirect-uri-violation.ts'

export interface CredentialChanges extends Notes {
  readonly name?: string
  /** Null takes it away; webapps need one. */
  readonly redirectUri?: string | null
  /** Lifetime in seconds; null goes back to the default of the kind. */
  readonly expiresIn?: number | null
  /** Integrations only. */
  readonly roleId?: string
}

interface Change {
  readonly action: AuditAction
  readonly details?: NonNullable<AuditEvent['details']>
  readonly data: Prisma.CredentialUncheckedUpdateInput
  readonly access: ChangedAccess
  readonly alsoEndsRefreshTokens?: boolean
}

const eventOf = (
  { action, details = {} }: Pick<Change, 'action' | 'details'>,
  credential: CredentialRecord,
  deps: ProvisioningDeps,
): AuditEvent => ({
  actor: deps.actor,
  action,
  subject: { type: 'credentials', id: credential.id },
  organizationId: credential.organization.id,
  details: { client_id: credential.clientId, name: credential.name, ...details },
})

const endRefreshTokens = (transaction: DatabaseTransaction, credentialId: bigint, at: Date) =>
  transaction.refreshFamily.updateMany({ where: { credentialId, revokedAt: null }, data: { revokedAt: at } })

const gone = (id: string): AppError =>
  new AppError('record_not_found', { detail: `There is no credential '${id}'.` })

/** One transaction: the row, what hangs on it, the audit log, and word to the services. */
const change = (
  { id, organization }: CredentialRecord,
  changed: Change,
  deps: ProvisioningDeps,
): Promise<CredentialRecord> => {
  const rowId = requireRowId('applications', id)
  return act(organization.id, deps, async (transaction, at) => {
    const { count } = await transaction.credential.updateMany({
      where: { id: rowId },
      data: { ...changed.data, updatedAt: at },
    })
    if (count === 0) throw gone(id)
    if (changed.alsoEndsRefreshTokens === true) await endRefreshTokens(transaction, rowId, at)
    const credential = await requireCredential(id, transaction)
    await appendAudit(transaction, eventOf(changed, credential, deps), at)
    await recordAccessChange(transaction, { type: 'application', id: rowId }, changed.access, at)
    return credential
  })
}

const changedRedirectViolation = (
  redirectUri: CredentialChanges['redirectUri'],
  kind: CredentialRecord['kind'],
): string | undefined => {
  if (redirectUri === undefined) return undefined
  if (redirectUri !== null) return redirectUriViolation(redirectUri)
  return kind === 'webapp' ? 'is required for credentials of kind webapp' : undefined
}

/** What is wrong with changes of a credential of this kind. */
export const credentialChangeViolations = (
  { name, redirectUri, expiresIn, roleId }: CredentialChanges,
  { kind }: Pick<CredentialRecord, 'kind'>,
): Violations => ({
  name: name === undefined ? undefined : nameViolation(name),
  redirect_uri: changedRedirectViolation(redirectUri, kind),
  expires_in: lifetimeViolation(expiresIn ?? undefined),
  role:
    roleId !== undefined && kind !== 'integration'
      ? 'can be assigned to credentials of kind integration only'
      : undefined,
})

const detailsOf = ({ name, redirectUri, expiresIn, roleId, ...notes }: CredentialChanges) => ({
  ...(name === undefined ? {} : { name }),
  ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
  ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
  ...(roleId === undefined ? {} : { role: roleId }),
  ...noteDetails(notes),
})

/** @throws AppErrors validation_error; AppError record_not_found */
export const updateCredential = async (
  id: string,
  changes: CredentialChanges,
  deps: ProvisioningDeps,
): Promise<CredentialRecord> => {
  const database = readerOf(deps)
  const credential = await requireCredential(id, database)
  const { name, redirectUri, expiresIn, roleId, ...notes } = changes
  const violations = credentialChangeViolations(changes, credential)
  const foreign = await roleInOrganizationViolation(credential.organization.id, roleId, database)
  requireNoViolations({ ...violations, role: violations['role'] ?? foreign })
  const role = roleId === undefined ? {} : { roleId: requireRowId('roles', roleId) }
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(expiresIn === undefined ? {} : { expiresInSeconds: expiresIn }),
    ...role,
    ...noteColumns(notes),
  }
  const details = detailsOf(changes)
  return change(credential, { action: 'credential.update', details, data, access: role }, deps)
}

/** The old secret is refused from now on; tokens it got live on. The new one is in this answer and nowhere else. */
export const rotateSecret = async (
  id: string,
  deps: ProvisioningDeps,
): Promise<{ credential: CredentialRecord; clientSecret: string }> => {
  const known = await requireCredential(id, readerOf(deps))
  const clientSecret = createOpaqueToken()
  const data = { secretHash: hashOpaqueToken(clientSecret) }
  const credential = await change(known, { action: 'credential.rotate_secret', data, access: {} }, deps)
  return { credential, clientSecret }
}

/** No token is issued any more, and all there are, refresh tokens too, are refused. Repeating it changes nothing. */
export const disableCredential = async (id: string, deps: ProvisioningDeps): Promise<CredentialRecord> => {
  const credential = await requireCredential(id, readerOf(deps))
  if (credential.disabledAt !== null) return credential
  const disabling: Change = {
    action: 'credential.disable',
    data: { disabledAt: deps.clock.now() },
    access: { revokedBefore: END_OF_TIME },
    alsoEndsRefreshTokens: true,
  }
  return change(credential, disabling, deps)
}

/** Tokens from before stay refused: refresh tokens too that a sign-in under way was given after it had been disabled. */
export const enableCredential = async (id: string, deps: ProvisioningDeps): Promise<CredentialRecord> => {
  const credential = await requireCredential(id, readerOf(deps))
  if (credential.disabledAt === null) return credential
  const enabling: Change = {
    action: 'credential.enable',
    data: { disabledAt: null },
    access: { revokedBefore: startOfNextSecond(deps.clock.now()) },
    alsoEndsRefreshTokens: true,
  }
  return change(credential, enabling, deps)
}

/** As disabling, and for ever. */
export const deleteCredential = async (id: string, deps: ProvisioningDeps): Promise<CredentialRecord> => {
  const credential = await requireCredential(id, readerOf(deps))
  const rowId = requireRowId('applications', credential.id)
  await act(credential.organization.id, deps, async (transaction, at) => {
    const { count } = await transaction.credential.deleteMany({ where: { id: rowId } })
    if (count === 0) throw gone(id)
    const details = { mode: credential.mode, kind: credential.kind }
    await appendAudit(transaction, eventOf({ action: 'credential.delete', details }, credential, deps), at)
    const subject = { type: 'application', id: rowId } as const
    await recordAccessChange(transaction, subject, { revokedBefore: END_OF_TIME }, at)
  })
  return credential
}
