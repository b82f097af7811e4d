/** What the triggers of one transaction share: its order is locked, and the plan of the payment is split into their rows. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Command, CommandOutcome } from '../../engine/write/commands.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import type { Movement } from '../ledger.ts'
import { closePayment, openPayment } from '../payment-plan.ts'
import type { Payment, PaymentPlan } from '../payment.ts'

export interface TransactionSubject {
  readonly payment: Payment
  /** The transaction that the trigger was sent to. */
  readonly movement: Movement
  /** `<trigger>_amount_cents`, when it was sent. */
  readonly amountCents: number | undefined
}

/** The movement and all of its order as they are stored. */
export const openTransaction = async (
  number: number,
  step: WorkflowStep,
): Promise<Omit<TransactionSubject, 'amountCents'>> => {
  if (step.locked === undefined) throw new Error('the order of a transaction is not locked')
  const payment = await openPayment(step.locked, step)
  const movement = payment.ledger.find(({ id }) => id === number)
  if (movement === undefined) throw new Error('a transaction is not in the ledger of its order')
  return { payment, movement }
}

export const transactionCommand = (
  trigger: `_${string}`,
  plan: (subject: TransactionSubject) => Promise<Payment>,
): Command => ({
  trigger,
  run: async ({ number, request, step }) => {
    const amount = request.triggers.get(`${trigger}_amount_cents`)
    const amountCents = typeof amount === 'number' ? amount : undefined
    const planned = await plan({ ...(await openTransaction(number, step)), amountCents })
    return outcomeOf(closePayment(planned), number, step)
  },
})

/** Columns of the transaction itself, and the writes of its order and of other transactions. */
export const outcomeOf = (plan: PaymentPlan, number: number, step: WorkflowStep): CommandOutcome => {
  const isOwn = ({ before }: { readonly before: Row | undefined }): boolean =>
    before !== undefined && numberOf(before) === number
  const definition = step.registry.require('orders')
  const order = { definition, before: step.locked, columns: plan.set, topics: plan.topics }
  const isMoved = Object.keys(plan.set).length > 0
  return {
    violations: plan.violations,
    set: plan.writes.find(isOwn)?.columns ?? {},
    topics: plan.writes.find(isOwn)?.topics ?? [],
    writes: [...plan.writes.filter((write) => !isOwn(write)), ...(isMoved ? [order] : [])],
  }
}

export const refusedBy = (payment: Payment, violation: WriteViolation): Payment => ({
  ...payment,
  violations: [violation],
})
