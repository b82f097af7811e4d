/** What a shop system has to offer to be measured side by side with others. */
import type { ChildProcess } from 'node:child_process'
import type { Connections } from '@merx/load/connections'
import type { LoadRequest } from '@merx/load/exchange'

/** What every system is filled with: products of one variant, with a price in euros and stock in one place. */
export interface Filling {
  readonly products: number
  /** Units of a product that does not run out. */
  readonly plenty: number
  /** The last products, of which there are few units. */
  readonly scarce: { readonly count: number; readonly stock: number }
}

/** One buyer's purchase of one unit. Every step throws when it is refused, save the last. */
export interface Purchase {
  readonly fillCart: () => Promise<void>
  /** Who buys, where to, and how it is sent. */
  readonly checkOut: () => Promise<void>
  readonly pay: () => Promise<void>
  /** False when the system refuses it for want of stock. @throws Error when it is refused for another reason */
  readonly place: () => Promise<boolean>
}

/** A storefront of a running system. Products are numbered from 1, in the order in which they were made. */
export interface Storefront {
  readonly url: string
  /** 25 products with name, description, price and stock, and how many there are. */
  readonly listPage: (page: number) => LoadRequest
  /** One product with the same. */
  readonly byId: (product: number) => LoadRequest
  /** @param product that is bought */
  readonly beginPurchase: (connections: Connections, product: number, email: string) => Purchase
  /** Whether an answer holds 25 products. */
  readonly isFullPage: (body: string) => boolean
}

export interface Running extends Storefront {
  /** Of the server first, then of what runs next to it. */
  readonly processes: readonly { readonly name: string; readonly child: ChildProcess }[]
  /** From the start of the processes to the first page of products. */
  readonly readyInMs: number
  readonly stop: () => Promise<void>
}

export interface Peer {
  readonly name: string
  readonly version: string
  /** In PostgreSQL. */
  readonly databases: readonly string[]
  /** Requests of a purchase. */
  readonly requests: number
  /** Drops its databases, makes them again and fills them with products. */
  readonly fill: (filling: Filling) => Promise<void>
  readonly start: () => Promise<Running>
  /** Units that the database promises to buyers. */
  readonly promised: (product: number) => Promise<number>
}
