import type { Rule, RuleContext, WriteViolation } from '@merx/jsonapi/rules'
import { canonicalFrequency, frequencyProblem } from './frequency.ts'

/** A subscription with a model, one that makes its orders by itself, has one of the frequencies of that model. */
export const frequencyOfSubscription: Rule = async ({ sent, after, find }) => {
  const { frequency } = after
  if (!sent.has('frequency') || typeof frequency !== 'string') return {}
  const problem =
    frequencyProblem(frequency) ?? (await absence(frequency, after['subscription_model_id'], find))
  if (problem === undefined) return {}
  const violation: WriteViolation = {
    at: { attribute: 'frequency' },
    error: 'invalid',
    message: problem,
    value: frequency,
  }
  return { violations: [violation] }
}

const absence = async (
  frequency: string,
  model: unknown,
  find: RuleContext['find'],
): Promise<string | undefined> => {
  const row = typeof model === 'number' ? await find.byNumber('subscription_models', model) : undefined
  if (row === undefined || hasFrequency(row['frequencies'], frequency)) return undefined
  return `must be one of the subscription model: ${listOf(row['frequencies']).join(', ')}`
}

/** `frequencies` is the column of a model. */
export const hasFrequency = (frequencies: unknown, frequency: string): boolean =>
  listOf(frequencies).some((each) => canonicalFrequency(each) === canonicalFrequency(frequency))

export const listOf = (frequencies: unknown): readonly string[] =>
  Array.isArray(frequencies) ? frequencies.map(String) : []
