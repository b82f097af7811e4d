/** `_customer_payment_source_id`: the order gets a copy of the source of a wallet entry, one that is its own. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { columnsOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import { runIn } from '../../engine/database/run-statement.ts'
import { findVisibleRow } from '../../engine/write/find-visible-row.ts'
import { askOutside } from '../../engine/write/outside-calls.ts'
import type { OutsideCall } from '../../engine/write/outside-calls.ts'
import { numberOf, persist } from '../../engine/write/persist.ts'
import type { Completion, WorkflowStep } from '../../engine/write/write-workflow.ts'
import { lockOrder } from '../lock-order.ts'
import { reasonAgainstPayingWith } from '../source-of-order.ts'
import { contentOfEntry, findSource, saysSame } from './source-content.ts'

const TRIGGER = '_customer_payment_source_id'
const at = { attribute: TRIGGER } as const

const refuse = (error: string, message: string): Completion => ({ violations: [{ at, error, message }] })

/** Has the copy stored, and returns the columns of the order that lead to it; nothing when its source says the same already. */
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
  const content = contentOfEntry(entry, kept)
  const current = await findSource(order.payment_source_type, order.payment_source_id, step)
  if (current !== undefined && order.payment_source_type === type && saysSame(content, current)) return {}
  const reason = await reasonAgainstPayingWith(kept, type, after, step)
  if (reason !== undefined) return { violations: [{ ...reason, at } satisfies WriteViolation] }
  const copy = askOutside(storeCopy(content, type, numberOf(after), step), step)
  return { set: { payment_source_type: type, payment_source_id: copy } }
}

/**
 * Stored in a transaction of its own: a gateway may be asked about it before the write of the order is stored (ADR 93). A
 * copy that an earlier write left unused is used.
 */
const storeCopy = (
  content: Row,
  type: string,
  order: number,
  { scope: { environmentId }, actor }: WorkflowStep,
): OutsideCall<number> => ({
  key: `source from wallet ${type} ${order} ${JSON.stringify(content)}`,
  perform: ({ database, registry }) =>
    database.transaction(async (transaction) => {
      const run = runIn(transaction)
      await lockOrder('$2', order, { run, scope: { environmentId } })
      const definition = registry.require(type)
      const text = `SELECT * FROM ${definition.table} WHERE environment_id = $1 AND order_id = $2 ORDER BY id`
      const sources = await run({ text, values: [environmentId, order] })
      const found = sources.find((source) => saysSame(content, source))
      if (found !== undefined) return numberOf(found)
      const write = { definition, before: undefined, columns: { ...content, order_id: order } }
      const [copy] = await persist([write], { run, registry, environmentId, actor })
      return numberOf(copy ?? {})
    }),
})
