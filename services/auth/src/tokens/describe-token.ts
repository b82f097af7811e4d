/** GET /oauth/tokeninfo, the answer (auth.md 8): what a dashboard must know of the token it was given. */
import type { Permission } from '@merx/access-token/caller'
import type { AccessTokenClaims } from '@merx/access-token/claims'
import type { Clock } from '@merx/telemetry/clock'
import type { Credential } from '../clients/credential.ts'
import { permissionsOf, permissionsOfSalesChannel, type Role, type RoleReader } from '../roles/role.ts'
import { environmentOf } from '../scopes/resolve-scope.ts'
import { findOwner, isOfPresentSignIn, type OwnerReaders } from './find-owner.ts'

export interface DescribeTokenDeps extends OwnerReaders {
  readonly findCredentialById: (id: string) => Promise<Credential | undefined>
  /** Enabled webapps of the credential's environment. */
  readonly listWebapps: (credential: Credential) => Promise<readonly Pick<Credential, 'name' | 'kind'>[]>
  readonly roles: RoleReader
  readonly clock: Clock
}

const toApiRole = ({ id, kind, name }: Role) => ({ id, kind, name })

const toApiPermissions = (permissions: readonly Permission[]) =>
  Object.fromEntries(permissions.map(({ subject, actions }) => [subject, { actions: [...actions].sort() }]))

const describeOwner = async (
  claims: AccessTokenClaims,
  owner: NonNullable<AccessTokenClaims['owner']>,
  credential: Credential,
  readers: OwnerReaders,
) => {
  const found = await findOwner(owner, environmentOf(credential), readers)
  if (found === undefined || !isOfPresentSignIn(claims, found)) return undefined
  if (found.type === 'Customer') {
    const { id, email } = found.customer
    return { id, type: found.type, email }
  }
  const { user, type } = found
  return {
    id: user.id,
    type,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    owner: user.isOwner,
    time_zone: user.timeZone,
  }
}

/** No credential is made by a dashboard here, so `core` is false everywhere. */
const IS_CORE = false

/**
 * What the token may do now, as core sees it: the role its credential or user has by now, not the one it was issued
 * with. Sales channels have no role; their permissions are those of the fixed tables.
 */
const describePermissions = async (
  claims: AccessTokenClaims,
  credential: Credential,
  { roles, users }: DescribeTokenDeps,
) => {
  const { owner, organization } = claims
  if (credential.kind === 'sales_channel')
    return { permissions: toApiPermissions(permissionsOfSalesChannel(owner?.type === 'Customer')) }
  const user = owner?.type === 'User' ? await users.findActive(organization.id, owner.id) : undefined
  const { id } = user?.role ?? credential.role ?? claims.role ?? {}
  const role = id === undefined ? undefined : await roles.findRole(organization.id, id)
  return role && { role: toApiRole(role), permissions: toApiPermissions(permissionsOf(role)) }
}

/**
 * @param claims of a token that is valid now
 * @returns undefined when its credential or its owner no longer exists, or its customer has another password, so that it is of no use any more
 */
export const describeToken = async (claims: AccessTokenClaims, deps: DescribeTokenDeps) => {
  const credential = await deps.findCredentialById(claims.application.id)
  if (credential === undefined) return undefined
  const owner = claims.owner && (await describeOwner(claims, claims.owner, credential, deps))
  if (claims.owner !== undefined && owner === undefined) return undefined
  const webapps = claims.owner?.type === 'User' ? await deps.listWebapps(credential) : []
  return {
    token: {
      test: claims.test,
      market_ids: claims.market?.id ?? [],
      stock_location_ids: claims.market?.stock_location_ids ?? [],
      lifespan: claims.exp - Math.floor(deps.clock.now().getTime() / 1000),
    },
    application: { id: credential.id, kind: credential.kind, name: credential.name, core: IS_CORE },
    ...(owner === undefined ? {} : { owner }),
    ...(await describePermissions(claims, credential, deps)),
    accessible_apps: webapps.map(({ name, kind }) => ({ name, kind, core: IS_CORE })),
  }
}
