/** One buyer's purchase in four steps, each of which is the requests that a shop front sends for it. */
import type { Connections } from '@merx/load/connections'
import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'
import {
  addToCart,
  beginOrder,
  checkOut,
  chooseShipping,
  giveAddress,
  offerShipping,
  payByTransfer,
  startOfOrder,
} from './checkout-requests.ts'
import { PAYMENT_METHOD, SHIPPING_METHODS } from './fill-checkout.ts'
import { encodeId } from './load-ids.ts'

export interface Goods {
  /** Public id. */
  readonly sku: string
  readonly quantity: number
}

export interface Purchase {
  readonly fillCart: (goods: readonly Goods[]) => Promise<void>
  /** Who buys, where to, and how it is sent. */
  readonly checkOut: () => Promise<void>
  readonly pay: () => Promise<void>
  /** The answer, whatever it is. */
  readonly place: () => Promise<LoadAnswer>
  /** Public id, once the cart is filled. */
  readonly order: () => string
}

interface Document {
  readonly data: { readonly id: string } | readonly { readonly id: string }[]
}

const idsOf = ({ body = '' }: LoadAnswer): readonly string[] =>
  [(JSON.parse(body) as Document).data].flat().map(({ id }) => id)

const paymentMethod = encodeId('payment_methods', PAYMENT_METHOD)
const shippingMethod = encodeId('shipping_methods', SHIPPING_METHODS[1])

/** `token` is of a sales channel with a market in scope. Throws when a step before placing is refused. */
export const beginPurchase = ({ send }: Connections, token: string, email: string): Purchase => {
  let order = ''
  const must = async (request: LoadRequest): Promise<readonly string[]> => {
    const answer = await send(request)
    if (answer.status < 300) return idsOf(answer)
    throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.body ?? ''}`)
  }
  const make = async (request: LoadRequest): Promise<string> => {
    const [id = ''] = await must(request)
    return id
  }
  return {
    fillCart: async (goods) => {
      order = await make(beginOrder(token))
      for (const { sku, quantity } of goods) await must(addToCart(token, order, sku, quantity))
    },
    checkOut: async () => {
      const address = await make(giveAddress(token))
      await must(checkOut(token, order, { email, address, paymentMethod }))
      for (const shipment of await must(offerShipping(token, order)))
        await must(chooseShipping(token, shipment, shippingMethod))
    },
    pay: async () => {
      await must(payByTransfer(token, order))
    },
    place: () => send(startOfOrder(token, order, '_place')),
    order: () => order,
  }
}
