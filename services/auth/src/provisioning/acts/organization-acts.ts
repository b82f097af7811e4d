import { updateOrganization } from '../change-organization.ts'
import type { Acts } from './acts.ts'
import { onlySent } from './write-values.ts'

export const organizationActs: Acts = {
  update: async (id, values, { deps }) => {
    await updateOrganization(id, { ...onlySent({ name: values.text('name') }), ...values.notes }, deps)
    return { id }
  },
}
