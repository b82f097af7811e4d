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
  archived: ['no', 'yes'],
} as const

export type FilterName = keyof typeof FILTERS
export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[]

export interface OrderSearch {
  readonly status?: string
  readonly payment_status?: string
  readonly fulfillment_status?: string
  readonly archived?: string
  /** An id. */
  readonly market?: string
  /** Days of UTC, `2026-11-27`, both included. */
  readonly placed_from?: string
  readonly placed_to?: string
  readonly text?: string
  readonly page?: number
}

const TEXT_MAX = 200
const DAY_MS = 86_400_000
const ID = /^\w{1,50}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The router makes numbers of digits. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** 30 February is none. */
const isDay = (text: string): boolean =>
  DAY.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

const isId = (text: string): boolean => ID.test(text)

const matching = (
  raw: Readonly<Record<string, unknown>>,
  names: readonly string[],
  fits: (text: string) => boolean,
) =>
  Object.fromEntries(
    names.map((name) => [name, textOf(raw[name])] as const).filter(([, text]) => text !== '' && fits(text)),
  )

/** Takes what makes sense; an address that somebody typed is no reason for an error page. */
export const readOrderSearch = (raw: Readonly<Record<string, unknown>>): OrderSearch => {
  const text = textOf(raw['text'])
  const page = Number(raw['page'])
  return {
    ...Object.fromEntries(
      FILTER_NAMES.flatMap((name) => {
        const value = FILTERS[name].find((each) => each === raw[name])
        return value === undefined ? [] : [[name, value]]
      }),
    ),
    ...matching(raw, ['market'], isId),
    ...matching(raw, ['placed_from', 'placed_to'], isDay),
    ...(text === '' ? {} : { text: text.slice(0, TEXT_MAX) }),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  }
}

const startOf = (day: string): string => `${day}T00:00:00Z`

const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** The filter of core's list. */
export const toFilters = (search: OrderSearch): Readonly<Record<string, string>> => {
  const { archived, market, placed_from: from, placed_to: to, text } = search
  return {
    ...Object.fromEntries(
      (['status', 'payment_status', 'fulfillment_status'] as const).flatMap((name) =>
        search[name] === undefined ? [] : [[`${name}_eq`, search[name]]],
      ),
    ),
    ...(archived === undefined ? {} : { archived_at_null: String(archived === 'no') }),
    ...(market === undefined ? {} : { market_id_eq: market }),
    ...(from === undefined ? {} : { placed_at_gteq: startOf(from) }),
    ...(to === undefined ? {} : { placed_at_lt: startOf(dayAfter(to)) }),
    ...(text === undefined ? {} : { number_or_customer_email_or_reference_cont: text }),
  }
}
