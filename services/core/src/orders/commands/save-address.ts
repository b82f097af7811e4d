/** `_save_billing_address_to_customer_address_book` and its sibling: the customer keeps an address of the order. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { addToAddressBook } from '../../customers/address-book.ts'
import { rowOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'

const saveAddress = (kind: 'billing' | 'shipping'): Command => {
  const trigger = `_save_${kind}_address_to_customer_address_book` as const
  const refuse = (error: string, message: string): { readonly violations: readonly WriteViolation[] } => ({
    violations: [{ at: { attribute: trigger }, error, message }],
  })
  return {
    trigger,
    run: async ({ row, step }) => {
      const order = rowOf('Order', row)
      const customer = await find<'Customer'>('customers', order.customer_id ?? null, step)
      if (customer === undefined) return refuse('blank', 'needs an order with a customer')
      const isGuests =
        step.scope.salesChannel !== undefined && step.scope.salesChannel.customerId === undefined
      if (isGuests && customer.password_hash !== null)
        return refuse('not_allowed', 'needs a token of the customer, who has a password')
      const number = kind === 'billing' ? order.billing_address_id : order.shipping_address_id
      const address = await find<'Address'>('addresses', number ?? null, step)
      if (address === undefined) return refuse('blank', `needs an order with a ${kind} address`)
      await addToAddressBook(address, customer, step)
      return {}
    },
  }
}

const find = async <Model extends 'Customer' | 'Address'>(
  table: 'customers' | 'addresses',
  number: number | null,
  { run, scope }: WorkflowStep,
): Promise<RowOf<Model> | undefined> => {
  const [row] =
    number === null ? [] : await run<RowOf<Model>>(selectRow(table, scope.environmentId, number, false))
  return row
}

export const saveBillingAddress = saveAddress('billing')
export const saveShippingAddress = saveAddress('shipping')
