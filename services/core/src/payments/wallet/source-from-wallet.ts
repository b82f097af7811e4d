/** `_customer_payment_source_id`: the order gets a copy of the source of a wallet entry, one that is its own. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { columnsOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import { findVisibleRow } from '../../engine/write/find-visible-row.ts'
import { numberOf, persist } from '../../engine/write/persist.ts'
import type { Completion, WorkflowStep } from '../../engine/write/write-workflow.ts'
import { reasonAgainstPayingWith } from '../source-of-order.ts'
import { contentOf, findSource, isSameContent } from './source-content.ts'

const TRIGGER = '_customer_payment_source_id'
const at = { attribute: TRIGGER } as const

const refuse = (error: string, message: string): Completion => ({ violations: [{ at, error, message }] })

/** Writes the copy, and returns the columns of the order that lead to it; nothing when its source says the same already. */
export const sourceFromWallet = async (
  after: Row,
  { triggers }: WriteRequest,
  step: WorkflowStep,
): Promise<Completion> => {
  const id = triggers.get(TRIGGER)
  if (typeof id !== 'string') return {}
  const entry = await findVisibleRow<RowOf<'CustomerPaymentSource'>>('customer_payment_sources', id, step)
  if (entry === undefined)
    return refuse('noent', 'is no payment source of a customer, or none that you may read')
  const order = columnsOf('Order', after)
  if (entry.customer_id !== order.customer_id)
    return refuse('invalid', 'is of another customer than the order')
  const type = entry.payment_source_type
  const kept = await findSource(type, entry.payment_source_id, step)
  if (type === null || kept === undefined) return refuse('blank', 'has no payment source to use again')
  const current = await findSource(order.payment_source_type, order.payment_source_id, step)
  if (current !== undefined && order.payment_source_type === type && isSameContent(current, kept)) return {}
  const reason = await reasonAgainstPayingWith(kept, type, after, step)
  if (reason !== undefined) return { violations: [{ ...reason, at } satisfies WriteViolation] }
  return {
    set: { payment_source_type: type, payment_source_id: await copySource(kept, type, after['id'], step) },
  }
}

const copySource = async (
  source: Row,
  type: string,
  order: unknown,
  { run, registry, scope: { environmentId }, actor }: WorkflowStep,
): Promise<number> => {
  const columns = { ...contentOf(source), order_id: order }
  const write = { definition: registry.require(type), before: undefined, columns }
  const [copy] = await persist([write], { run, registry, environmentId, actor })
  return numberOf(copy ?? {})
}
