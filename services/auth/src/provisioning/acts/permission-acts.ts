import type { PermittedAction } from '@merx/access-token/caller'
import { createPermission, deletePermission, updatePermission } from '../change-permission.ts'
import { restrictionsViolation } from '../permission-rows.ts'
import type { Acts } from './acts.ts'
import { onlySent, type WriteValues } from './write-values.ts'

const FLAGS = {
  can_create: 'create',
  can_read: 'read',
  can_update: 'update',
  can_destroy: 'destroy',
} as const satisfies Readonly<Record<string, PermittedAction>>

type Flag = keyof typeof FLAGS

/** The actions that are named, by what was sent alone. */
const sentActions = (values: WriteValues): Readonly<Partial<Record<PermittedAction, boolean>>> =>
  Object.fromEntries(
    (Object.keys(FLAGS) as Flag[]).flatMap((flag) => {
      const value = values.flag(flag)
      return value === undefined ? [] : [[FLAGS[flag], value]]
    }),
  )

export const permissionActs: Acts = {
  violations: (values, before) => {
    const subject = before === undefined ? values.text('subject') : before['subject']
    const restrictions = values.object('restrictions')
    if (typeof subject !== 'string' || restrictions === undefined) return {}
    return { restrictions: restrictionsViolation({ subject, actions: [], restrictions }) }
  },
  create: (values, { organizationId, deps }) => {
    const actions = Object.entries(sentActions(values)).flatMap(([action, isAllowed]) =>
      isAllowed ? [action as PermittedAction] : [],
    )
    return createPermission(
      {
        organizationId,
        roleId: values.link('role') ?? '',
        subject: values.text('subject') ?? '',
        actions,
        restrictions: values.object('restrictions') ?? {},
        ...values.notes,
      },
      deps,
    )
  },
  update: async (id, values, { organizationId, deps }) => {
    const changes = {
      allowed: sentActions(values),
      ...onlySent({ restrictions: values.object('restrictions') }),
      ...values.notes,
    }
    await updatePermission({ organizationId, permissionId: id }, changes, deps)
    return { id }
  },
  remove: (id, { organizationId, deps }) => deletePermission({ organizationId, permissionId: id }, deps),
}
