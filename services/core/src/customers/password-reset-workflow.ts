/** New password resets: whose they are, and their token. */
import type { BeforeCreate } from '../engine/area.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'
import { newTokenColumns, NO_TOKEN } from './password-reset-token.ts'

export const withToken: BeforeCreate = {
  run: async (request, { secretBox }) => ({ request, columns: newTokenColumns(secretBox) }),
  ownAttributes: [],
}

/** A storefront does not learn from the answer whether somebody has the email: everybody may call it. */
export const passwordResetWorkflow: WriteWorkflow = {
  completesFrom: ['customer_email'],

  complete: async (after, before, _request, { run, scope }) => {
    if (before !== undefined) return {}
    const text = 'SELECT id FROM customers WHERE environment_id = $1 AND lower(email) = lower($2)'
    const [customer] = await run({ text, values: [scope.environmentId, after['customer_email']] })
    if (customer !== undefined) return { set: { customer_id: customer['id'] } }
    if (scope.salesChannel !== undefined) return { set: NO_TOKEN }
    const value = after['customer_email']
    const at = { attribute: 'customer_email' }
    return { violations: [{ at, error: 'noent', message: 'is the email of no customer', value }] }
  },
}
