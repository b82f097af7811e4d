import type { Rule, WriteViolation } from '@merx/jsonapi/rules'

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

/** A business address needs a company, any other a first and a last name. */
export const personOrCompany: Rule = ({ after }) => {
  const isBusiness = after['business'] === true
  const needed = isBusiness ? ['company'] : ['first_name', 'last_name']
  const violations = needed
    .filter((attribute) => isBlank(after[attribute]))
    .map((attribute): WriteViolation => ({
      at: { attribute },
      error: 'blank',
      message: `can't be blank ${isBusiness ? 'for a business address' : 'unless the address is a business address'}`,
    }))
  return violations.length === 0 ? {} : { violations }
}
