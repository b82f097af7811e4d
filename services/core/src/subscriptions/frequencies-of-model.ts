import type { Rule } from '@merx/jsonapi/rules'
import { canonicalFrequency, frequencyProblem } from './frequency.ts'

export const FREQUENCY_CHARACTERS_MAX = 100

/** Every entry is a frequency, and none is there twice. */
export const frequenciesOfModel: Rule = ({ sent, after }) => {
  const { frequencies } = after
  if (!sent.has('frequencies') || !Array.isArray(frequencies)) return {}
  const seen = new Set<string>()
  for (const value of frequencies as readonly unknown[]) {
    const problem = problemOf(value, seen)
    // One error for each attribute: the first entry is named.
    if (problem !== undefined)
      return {
        violations: [
          {
            at: { attribute: 'frequencies' },
            error: 'invalid',
            message: `has an entry that ${problem}`,
            value,
          },
        ],
      }
    seen.add(canonicalFrequency(String(value)))
  }
  return {}
}

const problemOf = (value: unknown, seen: ReadonlySet<string>): string | undefined => {
  if (typeof value !== 'string') return 'must be a text'
  if (value.length > FREQUENCY_CHARACTERS_MAX) return `is longer than ${FREQUENCY_CHARACTERS_MAX} characters`
  return frequencyProblem(value) ?? (seen.has(canonicalFrequency(value)) ? 'is there twice' : undefined)
}
