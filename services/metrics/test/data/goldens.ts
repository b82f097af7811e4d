/** Bodies whose way through every stage is kept: each shows one thing that the renderer does. */
export interface Golden {
  readonly name: string
  /** Default: orders. */
  readonly resource?: 'carts' | 'returns'
  readonly kind: 'breakdown' | 'date_breakdown' | 'stats' | 'search' | 'export'
  readonly query: object
  readonly filter?: object
  readonly marketIds?: readonly string[]
}

const counts = { field: 'order.id', operator: 'value_count' }

export const goldens: readonly Golden[] = [
  { name: 'counts the orders of the last 30 days', kind: 'stats', query: counts },
  { name: 'averages exactly', kind: 'stats', query: { field: 'order.total_amount', operator: 'avg' } },
  { name: 'gives five numbers', kind: 'stats', query: { field: 'order.total_amount', operator: 'stats' } },
  {
    name: 'interpolates percentiles',
    kind: 'stats',
    query: { field: 'order.seconds_in_draft', operator: 'percentiles' },
  },
  { name: 'is limited to the markets of the token', kind: 'stats', query: counts, marketIds: ['marketEURO'] },
  {
    name: 'filters an order by every kind of key',
    kind: 'stats',
    query: counts,
    filter: {
      order: {
        date_from: '2021-01-01T00:00:00Z',
        date_to: '2021-12-31T23:59:59Z',
        date_field: 'placed_at',
        archived: false,
        statuses: { in: ['placed'] },
        currency_codes: { not_in: ['EUR', 'USD'] },
        numbers: { in: [12, '34', 'WEB-2024/17'] },
        gift_card_codes: { in: ['ABCDEFGH'] },
        total_amount: { gte_lte: [10.3, 30.1] },
        approved_at: { gt: '2021-02-01T00:00:00Z' },
        aggregated_details: { query: '(*@gmail.com | *"john smith"*) + placed' },
        mode: 'test',
      },
      market: { numbers: { in: [1] } },
    },
  },
  {
    name: 'asks for one line item that satisfies all keys, with an option that does',
    kind: 'stats',
    query: counts,
    filter: {
      line_items: {
        types: { in: ['skus'] },
        discount: { lt: 0 },
        options: { names: { in: ['Engraving'] }, quantity: { gt: 1 } },
      },
    },
  },
  {
    name: 'measures the selected line items only',
    kind: 'stats',
    query: { field: 'line_items.total_amount', operator: 'sum' },
    filter: { line_items: { codes: { in: ['A'] } } },
  },
  {
    name: 'compares a list of plain values as a whole',
    kind: 'stats',
    query: counts,
    filter: { shipments: { items: { not_in: ['A'] } } },
  },
  {
    name: 'counts an order once for each code it holds',
    kind: 'breakdown',
    query: { by: 'line_items.code', ...counts },
  },
  {
    name: 'sums by an attribute of the same line item',
    kind: 'breakdown',
    query: { by: 'line_items.code', field: 'line_items.total_amount', operator: 'sum' },
  },
  {
    name: 'groups line items by their options',
    kind: 'breakdown',
    query: { by: 'line_items.options.name', field: 'line_items.total_amount', operator: 'sum' },
  },
  {
    name: 'groups options by their line item',
    kind: 'breakdown',
    query: { by: 'line_items.code', field: 'line_items.options.total_amount', operator: 'max' },
  },
  {
    name: 'crosses two lists of an order',
    kind: 'breakdown',
    query: { by: 'shipments.tags.name', field: 'refunds.id', operator: 'value_count' },
  },
  {
    name: 'nests a breakdown in the buckets that are shown',
    kind: 'breakdown',
    query: {
      by: 'market.name',
      ...counts,
      limit: 5,
      condition: { gt: 1 },
      breakdown: { by: 'line_items.name', ...counts, sort: 'asc', limit: 3 },
    },
    filter: { line_items: { types: { in: ['skus'] } } },
  },
  {
    name: 'nests two breakdowns in dates',
    kind: 'date_breakdown',
    query: {
      by: 'order.placed_at',
      field: 'order.total_amount',
      operator: 'sum',
      interval: 'week',
      breakdown: { by: 'order.guest', ...counts, breakdown: { by: 'market.number', ...counts } },
    },
  },
  {
    name: 'groups by a date of shipments',
    kind: 'date_breakdown',
    query: { by: 'shipments.shipped_at', field: 'order.total_amount', operator: 'avg' },
  },
  {
    name: 'search by the bounds of a list',
    kind: 'search',
    query: { fields: ['order.id'], limit: 5 },
    filter: { line_items: { discount: { lt: -10 } } },
  },
  {
    name: 'finds a page by narrow columns, then reads it',
    kind: 'search',
    query: { fields: ['order.number', 'customer.*', 'line_items.code'], limit: 5 },
  },
  {
    name: 'sorts ascending by another date',
    kind: 'search',
    query: { fields: ['order.id'], sort: 'asc', sort_by: 'order.placed_at' },
  },
  {
    name: 'counts carts, which are orders not yet placed',
    resource: 'carts',
    kind: 'stats',
    query: counts,
  },
  {
    name: 'groups returns by where they go and by what is in them',
    resource: 'returns',
    kind: 'breakdown',
    query: {
      by: 'destination_address.country_code',
      field: 'return.skus_count',
      operator: 'avg',
      breakdown: {
        by: 'return_line_items.line_item_code',
        field: 'return_line_items.quantity',
        operator: 'sum',
      },
    },
    filter: { return_line_items: { quantity: { gte: 2 } }, stock_location: { names: { in: ['Depot'] } } },
    marketIds: ['marketEURO'],
  },
  {
    name: 'pages through returns by their own key',
    resource: 'returns',
    kind: 'search',
    query: {
      fields: ['return.*', 'return_line_items.*'],
      sort_by: 'return.restocked_at',
      sort: 'asc',
      limit: 5,
    },
  },
  {
    name: 'finds the keys of an export, then its records',
    kind: 'export',
    query: { fields: ['order.id', 'tags.name'], sort_by: 'order.placed_at' },
  },
]
