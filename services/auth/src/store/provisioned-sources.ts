/** Where provisioned resources are read from, with their organization. Hashes of secrets and passwords are not among it. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { DEFAULT_LIFETIME_SECONDS } from '../clients/lifetimes.ts'
import { Prisma } from './generated/client.ts'
import { toPublicId } from './public-ids.ts'

const notes = (alias: string): Prisma.Sql =>
  Prisma.raw(
    ['created_at', 'updated_at', 'reference', 'reference_origin', 'metadata']
      .map((column) => `${alias}.${column}`)
      .join(', '),
  )

/** Enumerations are texts here, so that they compare with any text. */
const SOURCES: Readonly<Record<string, Prisma.Sql>> = {
  organizations: Prisma.sql`
    SELECT o.id, o.id AS organization_id, o.name, o.slug, o.is_enterprise, o.region, ${notes('o')}
    FROM organizations AS o`,
  users: Prisma.sql`
    SELECT u.id, u.organization_id, u.role_id, u.email, u.first_name, u.last_name, u.time_zone, u.is_owner,
      u.disabled_at, ${notes('u')}
    FROM users AS u`,
  roles: Prisma.sql`
    SELECT r.id, r.organization_id, r.name, r.kind::text AS kind, ${notes('r')} FROM roles AS r`,
  permissions: Prisma.sql`
    SELECT p.id, r.organization_id, p.role_id, p.subject, p.can_create, p.can_read, p.can_update, p.can_destroy,
      p.restrictions, ${notes('p')}
    FROM permissions AS p JOIN roles AS r ON r.id = p.role_id`,
  credentials: Prisma.sql`
    SELECT c.id, c.organization_id, c.role_id, c.name, c.kind::text AS kind, c.mode::text AS mode, c.client_id,
      c.redirect_uri, c.disabled_at, ${notes('c')}, coalesce(c.expires_in_seconds, CASE c.kind
        WHEN 'sales_channel' THEN ${DEFAULT_LIFETIME_SECONDS.sales_channel}::int
        WHEN 'integration' THEN ${DEFAULT_LIFETIME_SECONDS.integration}::int
        WHEN 'webapp' THEN ${DEFAULT_LIFETIME_SECONDS.webapp}::int
      END) AS expires_in_seconds
    FROM credentials AS c`,
}

/** Its entries name the organization by its public id, as they outlive the row. */
const auditEventsOf = (organizationId: bigint): Prisma.Sql => Prisma.sql`
  SELECT a.id, ${organizationId}::bigint AS organization_id, a.action, a.actor_kind::text AS actor_kind, a.actor, a.origin,
    a.subject_type, a.subject_id, a.request_id, a.details, a.occurred_at AS created_at, a.occurred_at AS updated_at,
    NULL::text AS reference, NULL::text AS reference_origin, '{}'::jsonb AS metadata
  FROM audit_events AS a WHERE a.organization_id = ${toPublicId('organizations', organizationId)}`

/** The rows of one organization as a FROM item: every table of a statement states it. */
export const sourceOf = (
  { type, table }: Pick<ResourceDefinition, 'type' | 'table'>,
  alias: string,
  organizationId: bigint,
): Prisma.Sql => {
  const source = table === 'audit_events' ? auditEventsOf(organizationId) : SOURCES[table]
  if (source === undefined) throw new Error(`${type} has no source`)
  const from = Prisma.raw(`s_${alias}`)
  return Prisma.sql`(SELECT * FROM (${source}) AS ${from} WHERE ${from}.organization_id = ${organizationId})
    AS ${Prisma.raw(alias)}`
}
