/** What the address of the order list says: filters, a text, the page. */

export const FILTERS = {
  status: ['draft', 'pending', 'placing', 'placed', 'editing', 'approved', 'cancelled'],
  payment_status: [
    ...[
      'unpaid',
      'authorized',
      'partially_authorized',
      'paid',
      'partially_paid',
      'voided',
      'partially_voided',
    ],
    ...['refunded', 'partially_refunded', 'free'],
  ],
  fulfillment_status: ['unfulfilled', 'in_progress', 'fulfilled', 'not_required'],
} as const

export type FilterName = keyof typeof FILTERS
export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[]

export interface OrderSearch {
  readonly status?: string
  readonly payment_status?: string
  readonly fulfillment_status?: string
  readonly text?: string
  readonly page?: number
}

const TEXT_MAX = 200

/** Takes what makes sense; an address that somebody typed is no reason for an error page. */
export const readOrderSearch = (raw: Readonly<Record<string, unknown>>): OrderSearch => {
  const text =
    typeof raw['text'] === 'string' || typeof raw['text'] === 'number' ? String(raw['text']).trim() : ''
  const page = Number(raw['page'])
  return {
    ...Object.fromEntries(
      FILTER_NAMES.flatMap((name) => {
        const value = FILTERS[name].find((each) => each === raw[name])
        return value === undefined ? [] : [[name, value]]
      }),
    ),
    ...(text === '' ? {} : { text: text.slice(0, TEXT_MAX) }),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  }
}

/** The filter of core's list. */
export const toFilters = (search: OrderSearch): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    FILTER_NAMES.flatMap((name) => (search[name] === undefined ? [] : [[`${name}_eq`, search[name]]])),
  ),
  ...(search.text === undefined ? {} : { number_or_customer_email_cont: search.text }),
})
