/** What clients of a history did and saw, one entry for each request. Times are of performance.now(), in milliseconds. */
import type { Outcome } from '../support/observations.ts'

/** Triggers of orders that change what is sold, and a place in line for each status an order can be read in. */
export const STEPS = ['place', 'approve', 'capture', 'cancel'] as const
export type StepName = (typeof STEPS)[number]

export interface Written {
  readonly kind: 'write'
  readonly step: StepName
  readonly order: string
}

/** Units that can still be bought. */
export interface StockRead {
  readonly kind: 'stock'
  readonly sku: string
  readonly available: number
}

export interface OrderRead {
  readonly kind: 'order'
  readonly order: string
  readonly status: string
  readonly paymentStatus: string
  readonly totalCents: number
  readonly updatedAt: string
}

/** Orders that metrics counts. */
export interface CountRead {
  readonly kind: 'count'
  readonly count: number
}

export interface Entry {
  readonly client: string
  /** Before the request was sent, and after its answer was read. */
  readonly from: number
  readonly to: number
  readonly outcome: Outcome
  /** A read without a good answer saw nothing. */
  readonly what: Written | StockRead | OrderRead | CountRead
}

/** What a buyer put into an order, before placing it. */
export interface Cart {
  readonly sku: string
  readonly quantity: number
}

/** How an order stands when everything is over. */
export interface FinalOrder extends Omit<OrderRead, 'kind' | 'order' | 'updatedAt'> {
  readonly capturedCents: number
  readonly refundedCents: number
}

export interface History {
  readonly entries: readonly Entry[]
  /** By order. */
  readonly carts: ReadonlyMap<string, Cart>
  /** By SKU: units that there were to begin with, and that can be bought at the end. */
  readonly stock: ReadonlyMap<string, { readonly first: number; readonly last: number }>
  /** By order; those that were sent `_place` at least. */
  readonly orders: ReadonlyMap<string, FinalOrder>
  readonly unitCents: number
}
