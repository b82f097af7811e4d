/** `_save_billing_address_to_customer_address_book` and its sibling: the customer keeps an address of the order. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { addToAddressBook } from '../../customers/address-book.ts'
import { findAddress } from '../../customers/find-address.ts'
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { customerToKeepFor } from './customer-to-keep-for.ts'

const saveAddress = (kind: 'billing' | 'shipping'): Command => {
  const trigger = `_save_${kind}_address_to_customer_address_book` as const
  const refuse = (error: string, message: string): { readonly violations: readonly WriteViolation[] } => ({
    violations: [{ at: { attribute: trigger }, error, message }],
  })
  return {
    trigger,
    run: async ({ row, step }) => {
      const order = rowOf('Order', row)
      const found = await customerToKeepFor(trigger, order, step)
      if ('violations' in found) return found
      const { customer } = found
      const number = kind === 'billing' ? order.billing_address_id : order.shipping_address_id
      const address = await findAddress(number, step)
      if (address === undefined) return refuse('blank', `needs an order with a ${kind} address`)
      await addToAddressBook(address, customer, step)
      return {}
    },
  }
}

export const saveBillingAddress = saveAddress('billing')
export const saveShippingAddress = saveAddress('shipping')
