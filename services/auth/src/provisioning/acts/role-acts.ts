import { ROLE_KINDS, type RoleKind } from '../../clients/credential.ts'
import { deleteRole, updateRole } from '../change-role.ts'
import { createRole } from '../create-role.ts'
import type { Acts } from './acts.ts'
import { onlySent, type WriteValues } from './write-values.ts'

const kindOf = (values: WriteValues): RoleKind =>
  ROLE_KINDS.find((kind) => kind === values.text('kind')) ?? 'custom'

export const roleActs: Acts = {
  create: (values, { organizationId, deps }) =>
    createRole(
      { organizationId, name: values.text('name') ?? '', kind: kindOf(values), ...values.notes },
      deps,
    ),
  update: async (id, values, { organizationId, deps }) => {
    const changes = { ...onlySent({ name: values.text('name') }), ...values.notes }
    await updateRole({ organizationId, roleId: id }, changes, deps)
    return { id }
  },
  remove: (id, { organizationId, deps }) => deleteRole({ organizationId, roleId: id }, deps),
}
