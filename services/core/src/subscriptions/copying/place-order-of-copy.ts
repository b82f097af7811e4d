/** Pays and places the order of a copy, by the triggers that a shop front sends. */
import type { RowOf } from '../../engine/database/rows.ts'
import { rowOf } from '../../engine/database/rows.ts'
import { contentOfEntry, findSource, saysSame } from '../../payments/wallet/source-content.ts'
import { isPlaced } from '../source-order.ts'
import { keyOf, tryTo } from './copy-errors.ts'
import type { Copying } from './copy-errors.ts'
import type { CopyStep } from './copy-step.ts'
import { updateAsShop } from './shop-writes.ts'

type Entry = RowOf<'CustomerPaymentSource'>

/** The order has a copy of the source of a wallet entry, if one fits. */
export const choosePayment: CopyStep = async (target, copying) => {
  const { copy, errors, step } = copying
  const key = keyOf('orders', target.id, step)
  if (
    copy.place_target_order !== true ||
    isPlaced(target) ||
    target.payment_source_id !== null ||
    key in errors
  )
    return 'nothing'
  const entry = await entryToPayWith(target, copying)
  if (entry === undefined) return 'nothing'
  const id = step.registry.ids.encode('customer_payment_sources', entry.id)
  const choose = () => updateAsShop('orders', target, { triggers: { _customer_payment_source_id: id } }, step)
  return (await tryTo(key, 'orders', choose, copying)) ? 'changed' : 'refused'
}

export const placeOrder: CopyStep = async (target, copying) => {
  const { copy, errors, step } = copying
  if (copy.place_target_order !== true || isPlaced(target)) return 'nothing'
  const key = keyOf('orders', target.id, step)
  let placed: RowOf<'Order'> | undefined
  const place = async () => {
    placed = rowOf('Order', await updateAsShop('orders', target, { triggers: { _place: true } }, step))
  }
  if (!(await tryTo(key, 'orders', place, copying))) return 'refused'
  if (placed !== undefined && isPlaced(placed)) return 'changed'
  // A payment that is refused leaves the order a cart, with a transaction that says why.
  errors[key] = { payment_source: [await refusalOf(target, copying)] }
  return 'refused'
}

/** Of the subscription, else with `reuse_wallet` the entry that pays as the source order was paid, else the newest of its method. */
const entryToPayWith = async (
  target: RowOf<'Order'>,
  { copy, source, step }: Copying,
): Promise<Entry | undefined> => {
  const { run, scope } = step
  const entries = await run<Entry>({
    text: `SELECT sources.* FROM customer_payment_sources AS sources
      WHERE sources.environment_id = $1 AND sources.customer_id = $2 ORDER BY sources.id DESC`,
    values: [scope.environmentId, target.customer_id],
  })
  const [chosen] = await run<Pick<RowOf<'OrderSubscription'>, 'customer_payment_source_id'>>({
    text: 'SELECT customer_payment_source_id FROM order_subscriptions WHERE environment_id = $1 AND id = $2',
    values: [scope.environmentId, copy.order_subscription_id],
  })
  const number = chosen?.customer_payment_source_id ?? null
  if (number !== null) return entries.find(({ id }) => id === number)
  if (copy.reuse_wallet !== true) return undefined
  const fitting = entries.filter(({ payment_method_id: method }) => method === target.payment_method_id)
  const paid = await findSource(source.payment_source_type, source.payment_source_id, step)
  for (const entry of fitting) {
    const kept = await findSource(entry.payment_source_type, entry.payment_source_id, step)
    if (paid !== undefined && kept !== undefined && saysSame(contentOfEntry(entry, kept), paid)) return entry
  }
  return fitting[0]
}

const refusalOf = async ({ id }: RowOf<'Order'>, { step: { run, scope } }: Copying): Promise<string> => {
  const [last] = await run<Pick<RowOf<'Transaction'>, 'message'>>({
    text: `SELECT message FROM transactions WHERE environment_id = $1 AND order_id = $2 AND NOT succeeded
      ORDER BY id DESC LIMIT 1`,
    values: [scope.environmentId, id],
  })
  return `was refused: ${last?.message ?? 'the gateway gave no reason'}`
}
