import type { Rule, WriteFault } from '@merx/jsonapi/rules'

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

/** A business address needs a company, any other a first and a last name. */
export const personOrCompany: Rule = ({ after }) => {
  const isBusiness = after['business'] === true
  const needed = isBusiness ? ['company'] : ['first_name', 'last_name']
  const faults = needed
    .filter((attribute) => isBlank(after[attribute]))
    .map((attribute): WriteFault => ({
      at: { attribute },
      error: 'blank',
      message: `can't be blank ${isBusiness ? 'for a business address' : 'unless the address is a business address'}`,
    }))
  return faults.length === 0 ? {} : { faults }
}
