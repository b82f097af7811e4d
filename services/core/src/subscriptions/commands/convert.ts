/** `_convert`: a subscription that copies its source order gets items, and from now on orders those by itself. */
import type { RowOf } from '../../engine/database/rows.ts'
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { hasFrequency, listOf } from '../frequency-of-subscription.ts'
import { itemsOf, linesToRepeat, modelOfMarket } from '../plan-subscriptions.ts'

const TRIGGER = '_convert'

const LINES = 'SELECT * FROM line_items WHERE environment_id = $1 AND order_id = $2 ORDER BY id'

export const convert: Command = {
  trigger: TRIGGER,
  run: async ({ row, number, step }) => {
    const subscription = rowOf('OrderSubscription', row)
    if (subscription.subscription_model_id !== null) return {}
    const refuse = (attribute: string, error: string, message: string) => ({
      violations: [{ at: { attribute }, error, message }],
    })
    const model = await modelOfMarket(subscription.market_id, step)
    if (model === undefined)
      return refuse(TRIGGER, 'no_subscription_model', 'needs a market with a subscription model')
    if (!hasFrequency(model.frequencies, subscription.frequency))
      return refuse(
        'frequency',
        'inclusion',
        `must be one of the market's subscription model: ${listOf(model.frequencies).join(', ')}`,
      )
    const values = [step.scope.environmentId, subscription.source_order_id]
    const lines = linesToRepeat(
      await step.run<RowOf<'LineItem'>>({ text: LINES, values }),
      subscription.frequency,
    )
    if (lines.length === 0)
      return refuse(TRIGGER, 'nothing_to_repeat', 'needs a source order with line items of SKUs')
    return { set: { subscription_model_id: model.id }, writes: itemsOf(number, lines, step) }
  },
}
