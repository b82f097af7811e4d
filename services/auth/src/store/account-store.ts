import type { Account, AccountReader } from '../authorize/account.ts'
import type { Prisma } from './generated/client.ts'
import type { Database } from './prisma-client.ts'
import { fromPublicId, requireRowId } from './public-ids.ts'
import { toUser } from './user-store.ts'

type UserRow = Prisma.UserGetPayload<{ include: { role: true } }>

const toAccount = (organizationId: string, row: UserRow | null): Account | undefined =>
  row === null ? undefined : { organizationId, user: toUser(row), passwordHash: row.passwordHash }

export const createAccountStore = (database: Database): AccountReader => ({
  findByEmail: async (organizationId, email) =>
    toAccount(
      organizationId,
      await database.user.findFirst({
        where: { organizationId: requireRowId('organizations', organizationId), email, disabledAt: null },
        include: { role: true },
      }),
    ),

  findById: async (organizationId, userId) => {
    const id = fromPublicId('users', userId)
    if (id === undefined) return undefined
    const row = await database.user.findFirst({
      where: { id, organizationId: requireRowId('organizations', organizationId), disabledAt: null },
      include: { role: true },
    })
    return toAccount(organizationId, row)
  },

  organizationName: async (organizationId) => {
    const { name } = await database.organization.findUniqueOrThrow({
      where: { id: requireRowId('organizations', organizationId) },
      select: { name: true },
    })
    return name
  },
})
