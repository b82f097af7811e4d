/** Records of a customer, such as addresses: whose they are, and the email that each repeats. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { normalizeEmail } from '@merx/validation/normalize'
import { rowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { Completion, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { findOrCreateCustomer } from './find-or-create-customer.ts'

/**
 * A record is of the customer whose token writes it, else of the one in the relationship, else of the one with the email,
 * who is created when there is none. What is sent besides must mean the same customer.
 */
export const whoseRecord: WriteWorkflow = {
  completesFrom: ['customer', 'customer_email'],

  complete: async (after, before, request, step): Promise<Completion> => {
    if (before !== undefined && !request.toOne.has('customer')) return {}
    const email = request.attributes.get('customer_email')
    const customer = await customerOf(after, request, step)
    if (customer === undefined) return { violations: [NOBODY] }
    const found = rowOf('Customer', customer)
    if (typeof email === 'string' && normalizeEmail(email) !== normalizeEmail(found.email))
      return { violations: [ofAnother(email)] }
    return { set: { customer_id: found.id, customer_email: found.email } }
  },
}

const customerOf = async (
  after: Row,
  request: WriteRequest,
  step: WorkflowStep,
): Promise<Row | undefined> => {
  const number = step.scope.salesChannel?.customerId ?? after['customer_id'] ?? null
  const email = request.attributes.get('customer_email')
  if (typeof number !== 'number')
    return typeof email === 'string' && email !== '' ? findOrCreateCustomer(email, step) : undefined
  const [customer] = await step.run(selectRow('customers', step.scope.environmentId, number, false))
  return customer
}

const NOBODY: WriteViolation = {
  at: { relationship: 'customer' },
  error: 'blank',
  message: "can't be blank, unless customer_email is given",
}

const ofAnother = (value: string): WriteViolation => ({
  at: { attribute: 'customer_email' },
  error: 'invalid',
  message: 'must be the email of the customer, or left out',
  value,
})
