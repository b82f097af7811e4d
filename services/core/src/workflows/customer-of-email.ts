/** Who has an email: the customer of that address, made when there is none (lifecycles.md 9). */
import type { Row } from '@merx/jsonapi/attributes'
import { normalizeEmail } from '@merx/validation/normalize'
import type { RowChange, WorkflowStep } from './write-workflow.ts'

export interface FoundCustomer {
  readonly customer: Row
  readonly changes: readonly RowChange[]
}

/** Emails are compared without case; of two orders with a new email at the same moment, both get the one customer. */
export const findOrCreateCustomer = async (
  emailAddress: string,
  { run, registry, scope }: WorkflowStep,
): Promise<FoundCustomer> => {
  const values = [scope.environmentId, normalizeEmail(emailAddress)]
  const find = 'SELECT * FROM customers WHERE environment_id = $1 AND lower(email) = lower($2)'
  const [known] = await run({ text: find, values })
  if (known !== undefined) return { customer: known, changes: [] }
  const insert = `INSERT INTO customers (environment_id, email) VALUES ($1, lower($2))
    ON CONFLICT (environment_id, lower(email)) DO NOTHING RETURNING *`
  const [made] = await run({ text: insert, values })
  if (made !== undefined) {
    const definition = registry.require('customers')
    const change = { definition, number: Number(made['id']), before: undefined, after: made }
    return { customer: made, changes: [change] }
  }
  const [others] = await run({ text: find, values })
  if (others === undefined) throw new Error('a customer was there and is not')
  return { customer: others, changes: [] }
}
