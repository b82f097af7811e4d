import { passwordMarkOf } from '@merx/passwords/password-mark'
import type { User, UserReader } from '../roles/user.ts'
import type { Prisma } from './generated/client.ts'
import type { Database } from './prisma-client.ts'
import { fromPublicId, toPublicId } from './public-ids.ts'

type UserRow = Prisma.UserGetPayload<{ include: { role: true } }>

export const toUser = (row: UserRow): User => ({
  id: toPublicId('users', row.id),
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  timeZone: row.timeZone,
  isOwner: row.isOwner,
  role: { id: toPublicId('roles', row.role.id), kind: row.role.kind, name: row.role.name },
  passwordMark: passwordMarkOf(row.passwordHash),
})

export const createUserStore = (database: Database): UserReader => ({
  findActive: async (organizationId, userId) => {
    const id = fromPublicId('users', userId)
    const organizationRowId = fromPublicId('organizations', organizationId)
    if (id === undefined || organizationRowId === undefined) return undefined
    const row = await database.user.findFirst({
      where: { id, organizationId: organizationRowId, disabledAt: null },
      include: { role: true },
    })
    return row === null ? undefined : toUser(row)
  },
})
