import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { canonicalFrequency, frequencyProblem } from '../subscriptions/frequency.ts'

/**
 * The frequency of a line is one that the subscription model of the order's market has (lifecycles.md 2). What an import
 * brings is history.
 */
export const frequencyOfLine: Rule = async ({ after, sent, writer, find }) => {
  const { frequency } = after
  if (writer.isImport === true || !sent.has('frequency') || typeof frequency !== 'string') return {}
  const refuse = (error: string, message: string) => ({
    violations: [
      { at: { attribute: 'frequency' }, error, message, value: frequency } satisfies WriteViolation,
    ],
  })
  const problem = frequencyProblem(frequency)
  if (problem !== undefined) return refuse('invalid', problem)
  const order = await find.byNumber('orders', after['order_id'], ['market_id'])
  const market = await find.byNumber('markets', order?.['market_id'], ['subscription_model_id'])
  const number = market?.['subscription_model_id'] ?? null
  const model =
    number === null ? undefined : await find.byNumber('subscription_models', number, ['frequencies'])
  // That the order is unknown was said already.
  if (order === undefined) return {}
  if (model === undefined)
    return refuse('no_subscription_model', 'needs an order of a market with a subscription model')
  const frequencies = Array.isArray(model['frequencies']) ? model['frequencies'].map(String) : []
  if (frequencies.some((each) => canonicalFrequency(each) === canonicalFrequency(frequency))) return {}
  return refuse('inclusion', `must be one of the market's subscription model: ${frequencies.join(', ')}`)
}
