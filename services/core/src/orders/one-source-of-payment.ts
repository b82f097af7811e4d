import { refuseTogether } from './refuse-together.ts'

/** What an order is paid with is given once in a request. */
export const oneSourceOfPayment = refuseTogether([
  ['payment_source', '_nullify_payment_source', '_customer_payment_source_id'],
])
