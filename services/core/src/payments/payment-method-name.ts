import type { Rule } from '@merx/jsonapi/rules'

/** "wire_transfers" → "Wire Transfers", when no name is given. */
export const nameOfPaymentMethod: Rule = ({ after }) => {
  const { name, payment_source_type: type } = after
  if ((typeof name === 'string' && name.trim() !== '') || typeof type !== 'string') return {}
  return {
    set: {
      name: type
        .split('_')
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(' '),
    },
  }
}
