import type { Rule } from '@merx/jsonapi/rules'

/** "wire_transfers" → "Wire Transfers". */
export const titleOf = (sourceType: string): string =>
  sourceType
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/** The type of its source, when no name is given. */
export const nameOfPaymentMethod: Rule = ({ after }) => {
  const { name, payment_source_type: type } = after
  if ((typeof name === 'string' && name.trim() !== '') || typeof type !== 'string') return {}
  return { set: { name: titleOf(type) } }
}
