import type { AccessTokenClaims } from '@merx/access-token/claims'
import type { Administrator } from '../provisioning/administrator-guard.ts'
import type { Prisma } from './generated/client.ts'
import type { Database } from './prisma-client.ts'
import { fromPublicId } from './public-ids.ts'

/** The grant in which a person shows up; see docs/adr on provisioning over HTTP. */
const SIGNED_IN_BY = 'authorization_code'

/** A user who signed in to a webapp themselves. */
export type SignedInUser = Administrator

export interface AdministratorReader {
  /** The user a webapp's token speaks for, if they signed in for it and have the admin role now. */
  findBy(claims: AccessTokenClaims): Promise<Administrator | undefined>
  /** The same with any role. */
  findSignedIn(claims: AccessTokenClaims): Promise<SignedInUser | undefined>
}

const findUser = async (
  { organization, application, owner, jti }: AccessTokenClaims,
  role: Prisma.UserWhereInput,
  database: Database,
): Promise<SignedInUser | undefined> => {
  if (application.kind !== 'webapp' || owner?.type !== 'User') return undefined
  const organizationId = fromPublicId('organizations', organization.id)
  const id = fromPublicId('users', owner.id)
  if (organizationId === undefined || id === undefined) return undefined
  const user = await database.user.findFirst({
    where: { id, organizationId, disabledAt: null, ...role },
    select: { email: true },
  })
  if (user === null) return undefined
  const family = { grantName: SIGNED_IN_BY, ownerType: 'User', ownerId: owner.id } as const
  const signedIn = await database.refreshToken.count({ where: { accessTokenId: jti, family } })
  return signedIn > 0 ? { userId: owner.id, email: user.email, organizationId: organization.id } : undefined
}

export const createAdministratorStore = (database: Database): AdministratorReader => ({
  findBy: (claims) => findUser(claims, { role: { kind: 'admin' } }, database),
  findSignedIn: (claims) => findUser(claims, {}, database),
})
