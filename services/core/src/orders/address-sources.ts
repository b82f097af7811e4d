/** Where the addresses of an order come from: an address that is linked, a copy of another one, or of the order's other one. */
import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { copyAddress, isCopyOf } from '../customers/copy-address.ts'
import { findAddress } from '../customers/find-address.ts'
import { columnsOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { findVisibleRow } from '../engine/write/find-visible-row.ts'
import type { Completion, WorkflowStep } from '../engine/write/write-workflow.ts'
import { refuseTogether } from './refuse-together.ts'

type Kind = 'billing' | 'shipping'

const cloneOf = (kind: Kind): string => `_${kind}_address_clone_id`
const sameAsOther = (kind: Kind): string =>
  kind === 'billing' ? '_billing_address_same_as_shipping' : '_shipping_address_same_as_billing'

const sourcesOf = (kind: Kind): readonly string[] => [`${kind}_address`, cloneOf(kind), sameAsOther(kind)]

export const ADDRESS_MEMBERS: readonly string[] = [...sourcesOf('billing'), ...sourcesOf('shipping')]

/** An address has one source in a request, and of two that are the same one is given. */
export const oneSourcePerAddress: Rule = refuseTogether([
  sourcesOf('billing'),
  sourcesOf('shipping'),
  [sameAsOther('billing'), sameAsOther('shipping')],
])

/**
 * Writes the copies that the triggers ask for, and returns the columns of the order that lead to them. An address that is such a
 * copy already stays, so that a repeated request makes no second one.
 */
export const copiedAddresses = async (
  after: Row,
  { triggers }: WriteRequest,
  step: WorkflowStep,
): Promise<Completion> => {
  const order = columnsOf('Order', after)
  const numbers = { billing: order.billing_address_id ?? null, shipping: order.shipping_address_id ?? null }
  const isBillingLast = triggers.has(sameAsOther('billing'))
  const set: Record<string, unknown> = {}
  for (const kind of isBillingLast
    ? (['shipping', 'billing'] as const)
    : (['billing', 'shipping'] as const)) {
    const source = await sourceOf(kind, numbers, triggers, step)
    if (source === undefined) continue
    if ('error' in source) return { violations: [source] }
    const current = await findAddress(numbers[kind], step)
    if (current === undefined || !isCopyOf(current, source)) numbers[kind] = await copyAddress(source, step)
    set[`${kind}_address_id`] = numbers[kind]
    if (kind === 'shipping' || numbers.shipping === null) set['country_code'] = source.country_code
  }
  return { set }
}

/** The address to copy, or why there is none. Undefined when no copy is asked for. */
const sourceOf = async (
  kind: Kind,
  numbers: Readonly<Record<Kind, number | null>>,
  triggers: WriteRequest['triggers'],
  step: WorkflowStep,
): Promise<RowOf<'Address'> | WriteViolation | undefined> => {
  const id = triggers.get(cloneOf(kind))
  if (typeof id === 'string') {
    const found = await findVisibleRow<RowOf<'Address'>>('addresses', id, step)
    const at = { attribute: cloneOf(kind) }
    return found ?? { at, error: 'noent', message: 'is no address, or none that you may read', value: id }
  }
  if (!triggers.has(sameAsOther(kind))) return undefined
  const other: Kind = kind === 'billing' ? 'shipping' : 'billing'
  const row = await findAddress(numbers[other], step)
  if (row !== undefined) return row
  const at = { attribute: sameAsOther(kind) }
  return { at, error: 'blank', message: `needs an order with a ${other} address` }
}
