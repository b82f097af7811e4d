import type { Rule, WriteViolation } from '@merx/jsonapi/rules'

const isBlank = (value: unknown): boolean => (value ?? null) === null || value === ''

/** What a scheme and a range of weights need besides themselves. */
export const schemeOfMethod: Rule = ({ after }) => {
  const { min_weight: min, max_weight: max } = after
  const violations: WriteViolation[] = []
  if (after['scheme'] === 'external' && isBlank(after['external_prices_url'])) {
    const message = "can't be blank while the scheme is external"
    violations.push({ at: { attribute: 'external_prices_url' }, error: 'blank', message })
  }
  if ((!isBlank(min) || !isBlank(max)) && isBlank(after['unit_of_weight'])) {
    const message = "can't be blank while min_weight or max_weight is set"
    violations.push({ at: { attribute: 'unit_of_weight' }, error: 'blank', message })
  }
  if (typeof min === 'number' && typeof max === 'number' && max < min) {
    const message = `must be greater than or equal to min_weight, which is ${min}`
    violations.push({
      at: { attribute: 'max_weight' },
      error: 'greater_than_or_equal_to',
      message,
      value: max,
    })
  }
  return violations.length === 0 ? {} : { violations }
}
