/** Credentials with what a token needs of their organization and role. */
import type { Clock } from '@merx/telemetry/clock'
import type { Credential, CredentialReader } from '../clients/credential.ts'
import type { Prisma } from './generated/client.ts'
import type { Database } from './prisma-client.ts'
import { fromPublicId, requireRowId, toPublicId } from './public-ids.ts'
import { createRecentCache } from './recent-cache.ts'

const include = { organization: true, role: true } satisfies Prisma.CredentialInclude

type CredentialRow = Prisma.CredentialGetPayload<{ include: typeof include }>

const fromRow = (row: CredentialRow): Credential => ({
  id: toPublicId('applications', row.id),
  clientId: row.clientId,
  name: row.name,
  kind: row.kind,
  mode: row.mode,
  secretHash: row.secretHash,
  isDisabled: row.disabledAt !== null,
  organization: {
    id: toPublicId('organizations', row.organization.id),
    slug: row.organization.slug,
    isEnterprise: row.organization.isEnterprise,
    region: row.organization.region,
  },
  ...(row.redirectUri === null ? {} : { redirectUri: row.redirectUri }),
  ...(row.expiresInSeconds === null ? {} : { customLifetimeSeconds: row.expiresInSeconds }),
  ...(row.role === null ? {} : { role: { id: toPublicId('roles', row.role.id), kind: row.role.kind } }),
})

/** A credential with when it was made and changed, and what administrators noted of it. */
export interface StoredCredential extends Credential {
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly reference: string | null
  readonly referenceOrigin: string | null
  /** A JSON object. */
  readonly metadata: Prisma.JsonValue
}

export interface CredentialStore extends CredentialReader {
  findById(id: string): Promise<StoredCredential | undefined>
  /** The enabled webapps of the environment another credential belongs to, by name. */
  listWebapps(credential: Credential): Promise<readonly Credential[]>
}

/** An organization has a handful; more than this is not shown. */
const WEBAPPS_MAX = 100

export const createCredentialStore = (database: Database): CredentialStore => ({
  findByClientId: async (clientId) => {
    const row = await database.credential.findUnique({ where: { clientId }, include })
    return row === null ? undefined : fromRow(row)
  },
  findById: async (id) => {
    const rowId = fromPublicId('applications', id)
    if (rowId === undefined) return undefined
    const row = await database.credential.findUnique({ where: { id: rowId }, include })
    if (row === null) return undefined
    const { createdAt, updatedAt, reference, referenceOrigin, metadata } = row
    return { ...fromRow(row), createdAt, updatedAt, reference, referenceOrigin, metadata }
  },
  listWebapps: async ({ organization, mode }) => {
    const organizationId = requireRowId('organizations', organization.id)
    const rows = await database.credential.findMany({
      where: { organizationId, mode, kind: 'webapp', disabledAt: null },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      take: WEBAPPS_MAX,
      include,
    })
    return rows.map(fromRow)
  },
})

const CACHED_MAX = 10_000

export interface RecentCredentials extends CredentialReader {
  /** Once a credential is known to have changed. */
  forget(): void
}

/** Credentials less than a second old, unless `forget` is called earlier. */
export const withRecentCredentials = (reader: CredentialReader, clock: Clock): RecentCredentials => {
  const cache = createRecentCache<{ readonly credential: Credential | undefined }, undefined>({
    entriesMax: CACHED_MAX,
    clock,
    load: async (clientId) => ({ credential: await reader.findByClientId(clientId) }),
  })
  return {
    findByClientId: async (clientId) => (await cache.forceFetch(clientId)).credential,
    forget: () => cache.clear(),
  }
}
