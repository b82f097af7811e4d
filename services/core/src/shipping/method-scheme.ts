import type { Rule, WriteFault } from '@merx/jsonapi/rules'

const isBlank = (value: unknown): boolean => (value ?? null) === null || value === ''

/** What a scheme and a range of weights need besides themselves. */
export const schemeOfMethod: Rule = ({ after }) => {
  const { min_weight: min, max_weight: max } = after
  const faults: WriteFault[] = []
  if (after['scheme'] === 'external' && isBlank(after['external_prices_url'])) {
    const message = "can't be blank while the scheme is external"
    faults.push({ at: { attribute: 'external_prices_url' }, error: 'blank', message })
  }
  if ((!isBlank(min) || !isBlank(max)) && isBlank(after['unit_of_weight'])) {
    const message = "can't be blank while min_weight or max_weight is set"
    faults.push({ at: { attribute: 'unit_of_weight' }, error: 'blank', message })
  }
  if (typeof min === 'number' && typeof max === 'number' && max < min) {
    const message = `must be greater than or equal to min_weight, which is ${min}`
    faults.push({ at: { attribute: 'max_weight' }, error: 'greater_than_or_equal_to', message, value: max })
  }
  return faults.length === 0 ? {} : { faults }
}
