/** Gives the order of a copy what it needs besides articles: addresses, how it is paid and sent, and the coupon of its source. */
import type { RowOf } from '../../engine/database/rows.ts'
import { keyOf, tryTo } from './copy-errors.ts'
import type { Copying } from './copy-errors.ts'
import type { CopyStep } from './copy-step.ts'
import { updateAsShop } from './shop-writes.ts'

/** Addresses are copies: the order keeps its own. */
export const addAddressesAndMethod: CopyStep = async (target, copying) => {
  const { copy, source, errors, step } = copying
  const method = await methodOf(copy, source, step)
  const isMissing =
    (source.shipping_address_id !== null && target.shipping_address_id === null) ||
    (source.billing_address_id !== null && target.billing_address_id === null) ||
    (method !== null && target.payment_method_id !== method)
  const key = keyOf('orders', source.id, step)
  if (!isMissing || key in errors) return 'nothing'
  const clone = (name: string, number: number | null) =>
    number === null ? {} : { [name]: step.registry.ids.encode('addresses', number) }
  const triggers = {
    ...clone('_shipping_address_clone_id', source.shipping_address_id),
    ...clone('_billing_address_clone_id', source.billing_address_id),
  }
  const links = { payment_method: ['payment_methods', method] } as const
  const add = () => updateAsShop('orders', target, { triggers, links }, step)
  return (await tryTo(key, 'orders', add, copying)) ? 'changed' : 'refused'
}

/** That of the subscription's payment source, which may be another one than the source order was paid with. */
const methodOf = async (
  { order_subscription_id: subscription }: RowOf<'OrderFactory'>,
  source: RowOf<'Order'>,
  { run, scope }: Copying['step'],
): Promise<number | null> => {
  const text = `SELECT sources.payment_method_id FROM order_subscriptions AS subscriptions
    JOIN customer_payment_sources AS sources
      ON sources.environment_id = $1 AND sources.id = subscriptions.customer_payment_source_id
    WHERE subscriptions.environment_id = $1 AND subscriptions.id = $2`
  const [chosen] = await run<Pick<RowOf<'CustomerPaymentSource'>, 'payment_method_id'>>({
    text,
    values: [scope.environmentId, subscription],
  })
  return chosen?.payment_method_id ?? source.payment_method_id
}

/** With `apply_promotions`; an invalid one is no error with `ignore_invalid_coupon`. */
export const addCoupon: CopyStep = async (target, { copy, source, errors, step }) => {
  const key = keyOf('orders', target.id, step)
  const isWanted = copy.apply_promotions === true && source.coupon_code !== null
  if (!isWanted || target.coupon_code !== null || key in errors) return 'nothing'
  const attributes = { coupon_code: source.coupon_code }
  const isIgnored = copy.ignore_invalid_coupon === true
  const send = () => updateAsShop('orders', target, { attributes }, step)
  const isApplied = await tryTo(key, 'orders', send, { errors: isIgnored ? {} : errors, step })
  if (isApplied) return 'changed'
  return isIgnored ? 'nothing' : 'refused'
}

type Shipment = Pick<RowOf<'Shipment'>, 'id' | 'inventory_stock_location_id' | 'shipping_method_id'>

/** A shipment is sent as one of the source order was, from the same place if there was one; else placing says what is missing. */
export const chooseShipping: CopyStep = async (target, { source, step }) => {
  const shipmentsOf = (order: number) =>
    step.run<Shipment>({
      text: `SELECT id, inventory_stock_location_id, shipping_method_id FROM shipments
        WHERE environment_id = $1 AND order_id = $2 AND status <> 'cancelled' ORDER BY id`,
      values: [step.scope.environmentId, order],
    })
  const chosen = await shipmentsOf(source.id)
  for (const shipment of await shipmentsOf(target.id)) {
    if (shipment.shipping_method_id !== null) continue
    const place = shipment.inventory_stock_location_id
    const here = chosen.filter((each) => each.inventory_stock_location_id === place)
    for (const method of new Set([...here, ...chosen].flatMap(({ shipping_method_id: one }) => one ?? []))) {
      const links = { shipping_method: ['shipping_methods', method] } as const
      const choose = () => updateAsShop('shipments', { id: shipment.id }, { links }, step)
      // A method that is not offered any more is no error: another one may be, and placing requires one.
      if (await tryTo('shipments', 'shipments', choose, { errors: {}, step })) return 'changed'
    }
  }
  return 'nothing'
}
