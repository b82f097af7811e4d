/** A line of an adjustment: it takes over name and amount, and is in the currency of the order. */
import type { RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import { amountOfAdjustment } from '../definitions/amount-of-adjustment.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf, rowOf } from '../engine/database/rows.ts'

/** Of a new line whose item is an adjustment. An imported line keeps the amount that it had elsewhere. */
export const ofAdjustment = async (context: RuleContext): Promise<RuleOutcome> => {
  const { after, sent, writer, find } = context
  const found = await find.byNumber('adjustments', after['item_id'])
  if (found === undefined) return writer.isImport === true ? {} : { violations: [itemNeeded] }
  const adjustment = rowOf('Adjustment', found)
  const violations = writer.isImport === true ? [] : await violationsOf(adjustment, context)
  if (violations.length > 0) return { violations }
  const isSent = (attribute: string): boolean => sent.has(attribute) && (after[attribute] ?? null) !== null
  return {
    set: {
      adjustment_id: adjustment.id,
      distribute_discount: adjustment.distribute_discount,
      ...(isSent('name') ? {} : { name: adjustment.name }),
      ...(isSent('unit_amount_cents') ? {} : { unit_amount_cents: adjustment.amount_cents }),
    },
  }
}

const itemNeeded: WriteViolation = {
  at: { relationship: 'item' },
  error: 'blank',
  message: "can't be blank on a line item of type adjustments",
}

const violationsOf = async (
  { currency_code: currency }: RowOf<'Adjustment'>,
  { after, sent, find }: RuleContext,
): Promise<readonly WriteViolation[]> => {
  const order = columnsOf('Order', (await find.byNumber('orders', after['order_id'])) ?? {})
  const message = `is in ${currency}, and the order is in ${order.currency_code ?? 'another currency'}`
  return [
    ...(order.currency_code === currency
      ? []
      : [{ at: { relationship: 'item' }, error: 'currency_mismatch', message }]),
    ...(sent.has('unit_amount_cents') ? [amountOfAdjustment] : []),
  ]
}
