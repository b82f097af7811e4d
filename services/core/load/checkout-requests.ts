/** The requests of a purchase, one by one, as a shop front sends them. */
import type { LoadRequest } from '@merx/load/exchange'
import { getAs, linkTo, sendAs } from './core-requests.ts'

/** In the market of the token. */
export const beginOrder = (token: string): LoadRequest =>
  sendAs(token, 'POST', '/api/orders', { type: 'orders' })

export const addToCart = (token: string, order: string, sku: string, quantity: number): LoadRequest =>
  sendAs(token, 'POST', '/api/line_items', {
    type: 'line_items',
    attributes: { quantity },
    relationships: { order: linkTo('orders', order), item: linkTo('skus', sku) },
  })

export const giveAddress = (token: string): LoadRequest =>
  sendAs(token, 'POST', '/api/addresses', {
    type: 'addresses',
    attributes: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      line_1: 'Via Roma 1',
      city: 'Torino',
      zip_code: '10121',
      state_code: 'TO',
      country_code: 'IT',
      phone: '+39 011 1234567',
    },
  })

export interface CheckoutDetails {
  readonly email: string
  /** Where it is sent and billed to. */
  readonly address: string
  readonly paymentMethod: string
}

export const checkOut = (
  token: string,
  order: string,
  { email, address, paymentMethod }: CheckoutDetails,
): LoadRequest =>
  sendAs(token, 'PATCH', `/api/orders/${order}`, {
    type: 'orders',
    id: order,
    attributes: { customer_email: email },
    relationships: {
      shipping_address: linkTo('addresses', address),
      billing_address: linkTo('addresses', address),
      payment_method: linkTo('payment_methods', paymentMethod),
    },
  })

/** The shipments of an order, each with the methods to choose from. */
export const offerShipping = (token: string, order: string): LoadRequest =>
  getAs(token, `/api/orders/${order}/shipments`, { include: 'available_shipping_methods' })

export const chooseShipping = (token: string, shipment: string, method: string): LoadRequest =>
  sendAs(token, 'PATCH', `/api/shipments/${shipment}`, {
    type: 'shipments',
    id: shipment,
    relationships: { shipping_method: linkTo('shipping_methods', method) },
  })

export const payByTransfer = (token: string, order: string): LoadRequest =>
  sendAs(token, 'POST', '/api/wire_transfers', {
    type: 'wire_transfers',
    relationships: { order: linkTo('orders', order) },
  })

/** Such as `_place`. */
export const startOfOrder = (token: string, order: string, trigger: string): LoadRequest =>
  sendAs(token, 'PATCH', `/api/orders/${order}`, {
    type: 'orders',
    id: order,
    attributes: { [trigger]: true },
  })

export const changeStock = (token: string, stockItem: string, quantity: number): LoadRequest =>
  sendAs(token, 'PATCH', `/api/stock_items/${stockItem}`, {
    type: 'stock_items',
    id: stockItem,
    attributes: { quantity },
  })

export const changePrice = (token: string, price: string, cents: number): LoadRequest =>
  sendAs(token, 'PATCH', `/api/prices/${price}`, {
    type: 'prices',
    id: price,
    attributes: { amount_cents: cents },
  })
