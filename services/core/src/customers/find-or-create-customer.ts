/** Who has an email: the customer of that address, made when there is none (lifecycles.md 9). */
import type { Row } from '@merx/jsonapi/attributes'
import { normalizeEmail } from '@merx/validation/normalize'
import { persist } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

/** Emails are compared without case; of two orders with a new email at the same moment, both get the one customer. */
export const findOrCreateCustomer = async (
  emailAddress: string,
  { run, registry, scope, actor }: WorkflowStep,
): Promise<Row> => {
  const { environmentId } = scope
  const email = normalizeEmail(emailAddress)
  const text = 'SELECT * FROM customers WHERE environment_id = $1 AND lower(email) = lower($2)'
  const [known] = await run({ text, values: [environmentId, email] })
  if (known !== undefined) return known
  const columns = { email }
  const topics = ['customers.create']
  const write = { definition: registry.require('customers'), before: undefined, columns, topics }
  const [created] = await persist([write], { run, registry, environmentId, actor }, { skipsConflicts: true })
  const customer = created ?? (await run({ text, values: [environmentId, email] }))[0]
  if (customer === undefined) throw new Error('a customer was there and is not')
  return customer
}
