/** `_reset_password_token` with `customer_password`: the customer has the password from now on. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { validateValue } from '@merx/jsonapi/validate-attributes'
import { hashPassword } from '@merx/passwords/passwords'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import type { Command, CommandOutcome } from '../engine/write/commands.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { isTokenOf } from './password-reset-token.ts'

const LIFETIME = '1 hour'

const refuse = (
  violation: Omit<WriteViolation, 'at'>,
  attribute = '_reset_password_token',
): CommandOutcome => ({
  violations: [{ at: { attribute }, ...violation }],
})

/** Only who knows the token learns more than that it is wrong. */
const WRONG = refuse({ error: 'invalid', message: 'is not the token of this reset' })
const USED = refuse({ error: 'used', message: 'is over: the customer has another password since' })
const EXPIRED = refuse({ error: 'expired', message: `is older than ${LIFETIME}` })

export const resetPassword: Command = {
  trigger: '_reset_password_token',
  run: async ({ row, value, request, step }) => {
    const reset = rowOf('CustomerPasswordReset', row)
    if (typeof value !== 'string' || !isTokenOf(reset.token_hash, value)) return WRONG
    const customers = step.registry.require('customers')
    const password = request.attributes.get('customer_password')
    const rules = customers.attributes['password']
    const problem = rules && validateValue(password ?? '', { ...rules, required: true })
    if (typeof password !== 'string' || problem !== undefined)
      return refuse(
        { error: 'invalid', message: 'is invalid', ...problem, value: undefined },
        'customer_password',
      )
    const passwordHash = await hashPassword(password)
    const customer = await lockCustomer(reset.customer_id, step)
    if (customer?.email !== reset.customer_email) return WRONG
    const state = await stateOf(reset, step)
    if (state?.is_used !== false) return USED
    if (state.is_expired) return EXPIRED
    const topics = customer.password_hash === null ? ['customers.create_password'] : []
    return {
      set: { reset_password_at: step.now, sealed_token: null },
      topics: ['customer_password_resets.reset_password'],
      writes: [{ definition: customers, before: customer, columns: { password_hash: passwordHash }, topics }],
    }
  },
}

type Step = Pick<WorkflowStep, 'run' | 'scope'>

const lockCustomer = async (
  number: number | null,
  { run, scope }: Step,
): Promise<RowOf<'Customer'> | undefined> => {
  const text = 'SELECT * FROM customers WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'
  const [customer] = await run<RowOf<'Customer'>>({ text, values: [scope.environmentId, number] })
  return customer
}

/** By the database's clock, which wrote both moments. A new password ends every reset that was begun before it. */
const stateOf = async (
  { id, customer_id: customer }: RowOf<'CustomerPasswordReset'>,
  { run, scope }: Step,
): Promise<{ readonly is_used: boolean; readonly is_expired: boolean } | undefined> => {
  const text = `SELECT resets.created_at < now() - interval '${LIFETIME}' AS is_expired,
      resets.reset_password_at IS NOT NULL OR EXISTS (SELECT 1 FROM changed_passwords AS changed
        WHERE changed.environment_id = $1 AND changed.customer_id = $3
          AND changed.changed_at >= resets.created_at) AS is_used
    FROM customer_password_resets AS resets WHERE resets.environment_id = $1 AND resets.id = $2`
  const [state] = await run<{ is_used: boolean; is_expired: boolean }>({
    text,
    values: [scope.environmentId, id, customer],
  })
  return state
}
