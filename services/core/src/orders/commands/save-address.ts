/** `_save_billing_address_to_customer_address_book` and its sibling: the customer keeps an address of the order. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { addToAddressBook } from '../../customers/address-book.ts'
import { rowOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
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
      const address = await findAddress(number ?? null, step)
      if (address === undefined) return refuse('blank', `needs an order with a ${kind} address`)
      await addToAddressBook(address, customer, step)
      return {}
    },
  }
}

const findAddress = async (
  number: number | null,
  { run, scope }: WorkflowStep,
): Promise<RowOf<'Address'> | undefined> => {
  if (number === null) return undefined
  const [row] = await run<RowOf<'Address'>>(selectRow('addresses', scope.environmentId, number, false))
  return row
}

export const saveBillingAddress = saveAddress('billing')
export const saveShippingAddress = saveAddress('shipping')
