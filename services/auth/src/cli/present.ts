/** Records → what `--json` gives. Keys are those of the wire. */
import type { RecordedEvent } from '../audit/audit-event.ts'
import type { StoredSigningKey } from '../keys/signing-key.ts'
import type {
  CredentialRecord,
  Noted,
  OrganizationRecord,
  RoleRecord,
  UserRecord,
} from '../provisioning/records.ts'

/** What everything has that is provisioned. */
const presentNotes = ({ createdAt, updatedAt, reference, referenceOrigin, metadata }: Noted) => ({
  created_at: createdAt,
  updated_at: updatedAt,
  reference,
  reference_origin: referenceOrigin,
  metadata,
})

export const presentOrganization = (organization: OrganizationRecord) => ({
  id: organization.id,
  slug: organization.slug,
  name: organization.name,
  enterprise: organization.isEnterprise,
  region: organization.region,
  ...presentNotes(organization),
})

export const presentRole = (role: RoleRecord) => ({
  id: role.id,
  name: role.name,
  kind: role.kind,
  permissions: role.permissions,
  ...presentNotes(role),
})

export const presentUser = (user: UserRecord) => ({
  id: user.id,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  time_zone: user.timeZone,
  owner: user.isOwner,
  role: user.role,
  disabled_at: user.disabledAt,
  ...presentNotes(user),
})

export const presentCredential = (credential: CredentialRecord) => ({
  id: credential.id,
  organization: credential.organization,
  mode: credential.mode,
  kind: credential.kind,
  name: credential.name,
  client_id: credential.clientId,
  redirect_uri: credential.redirectUri,
  expires_in: credential.expiresIn,
  role: credential.role,
  disabled_at: credential.disabledAt,
  ...presentNotes(credential),
})

export const presentKey = (key: StoredSigningKey) => ({
  kid: key.kid,
  state: key.state,
  created_at: key.createdAt,
  signs_from: key.activatedAt ?? key.activatesAt ?? null,
  retired_at: key.retiredAt ?? null,
  removable_at: key.removableAt ?? null,
})

export const presentEvent = (event: RecordedEvent) => ({
  number: Number(event.id),
  occurred_at: event.occurredAt,
  actor: event.actor,
  action: event.action,
  subject: event.subject,
  organization_id: event.organizationId ?? null,
  request_id: event.requestId ?? null,
  details: event.details ?? {},
})

/** One of its fields a line, for people. */
const flatNotes = ({ metadata }: Noted) => ({
  metadata: Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata),
})

export const flatOrganization = (organization: OrganizationRecord) => ({
  ...presentOrganization(organization),
  ...flatNotes(organization),
})

export const flatCredential = (credential: CredentialRecord) => ({
  ...presentCredential(credential),
  organization: credential.organization.slug,
  role: credential.role?.name,
  ...flatNotes(credential),
})

export const flatUser = (user: UserRecord) => ({
  ...presentUser(user),
  role: user.role.name,
  ...flatNotes(user),
})

export const flatRole = (role: RoleRecord) => ({
  ...presentRole(role),
  permissions: role.permissions.map(
    ({ subject, actions, restrictions = {} }) =>
      `${subject}:${actions.join(',')}${Object.keys(restrictions).length > 0 ? ' (restricted)' : ''}`,
  ),
  ...flatNotes(role),
})
