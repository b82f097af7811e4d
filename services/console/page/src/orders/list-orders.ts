/** A page of the orders that the address of the list asks for. */
import { orders } from '@commercelayer/sdk'
import { toFilters, type OrderSearch } from './order-search.ts'

/** Also the most that one action is done to. */
export const PAGE_SIZE = 25

export const listOrders = (search: OrderSearch) =>
  orders.list({
    filters: toFilters(search),
    sort: { created_at: 'desc' },
    pageNumber: search.page ?? 1,
    pageSize: PAGE_SIZE,
    fields: {
      orders: [
        ...(['number', 'status', 'payment_status', 'fulfillment_status', 'customer_email'] as const),
        ...(['total_amount_with_taxes_cents', 'currency_code', 'placed_at', 'created_at'] as const),
        'archived_at',
      ],
    },
  })

export type OrderRow = Awaited<ReturnType<typeof listOrders>>[number]

/** What people call it. */
export const nameOfOrder = ({ id, number }: { readonly id: string; readonly number?: string | null }) =>
  number ?? id
