import { actTogether } from '../act.ts'
import { deleteUser, disableUser, enableUser, updateUser } from '../change-user.ts'
import { createUser, userViolations } from '../create-user.ts'
import type { Acts } from './acts.ts'
import { onlySent, switchViolations, type WriteValues } from './write-values.ts'

/** A name that is taken away is an empty one. */
const nameOf = (values: WriteValues, column: string): string | undefined => {
  const name = values.textOrNull(column)
  return name === null ? '' : name
}

const sent = (values: WriteValues) => ({
  ...onlySent({
    email: values.text('email'),
    password: values.text('password'),
    firstName: nameOf(values, 'first_name'),
    lastName: nameOf(values, 'last_name'),
    timeZone: values.text('time_zone'),
    roleId: values.link('role') ?? undefined,
  }),
  ...values.notes,
})

export const userActs: Acts = {
  violations: (values) => ({ ...userViolations(sent(values)), ...switchViolations(values) }),
  create: (values, { organizationId, deps }) => {
    const { email = '', password = '', roleId = '', ...rest } = sent(values)
    return createUser({ organizationId, email, password, roleId, ...rest }, deps)
  },
  update: (id, values, { organizationId, deps }) =>
    actTogether(organizationId, deps, async (within) => {
      const reference = { organizationId, user: id }
      // What ends refresh tokens comes first: each act takes the next version last, and whoever revokes them does so too.
      if (values.isTriggered('_disable')) await disableUser(reference, within)
      if (values.isTriggered('_enable')) await enableUser(reference, within)
      const changes = sent(values)
      if (Object.keys(changes).length > 0) await updateUser(reference, changes, within)
      return { id }
    }),
  remove: (id, { organizationId, deps }) => deleteUser({ organizationId, user: id }, deps),
}
