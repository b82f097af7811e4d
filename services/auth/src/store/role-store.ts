import type { RoleReader } from '../roles/role.ts'
import { toPermission } from './access-state-store.ts'
import type { Database } from './prisma-client.ts'
import { fromPublicId } from './public-ids.ts'

export const createRoleStore = (database: Database): RoleReader => ({
  findRole: async (organizationId, roleId) => {
    const id = fromPublicId('roles', roleId)
    const organizationRowId = fromPublicId('organizations', organizationId)
    if (id === undefined || organizationRowId === undefined) return undefined
    const row = await database.role.findFirst({
      where: { id, organizationId: organizationRowId },
      include: { permissions: { orderBy: { subject: 'asc' } } },
    })
    if (row === null) return undefined
    return { id: roleId, kind: row.kind, name: row.name, permissions: row.permissions.map(toPermission) }
  },
})
