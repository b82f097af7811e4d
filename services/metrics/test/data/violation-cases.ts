/** Well-formed requests with violations at a nested level: 422 with every violation of the section. */
import { counts, dates, stats, sums, type ErrorCase } from './request-cases.ts'

const notFilter = (name: string, filter: unknown, errors: unknown): ErrorCase => ({
  name,
  body: { stats, filter },
  status: 422,
  code: 'UNPROCESSABLE_ENTITY',
  title: 'filter is not valid',
  errors,
})

const notQuery = (name: string, kind: string, query: unknown, errors: unknown): ErrorCase => ({
  name,
  path: `/metrics/orders/${kind}`,
  body: { [kind]: query },
  status: 422,
  code: 'UNPROCESSABLE_ENTITY',
  title: 'query is not valid',
  errors: [{ [kind]: errors }],
})

const RANGE = 'eq, ne, gt, gte, lt, lte, gt_lt, gte_lte, gte_lt, gt_lte'
const DECIMAL =
  'a number between -9007199254740991 and 9007199254740991 with at most 8 digits after the point'
const blank = "can't be blank if defined"

export const violationCases: readonly ErrorCase[] = [
  notFilter('asks for date_to with date_from', { order: { date_from: dates.date_from } }, [
    { order: [{ date_to: ['is required with date_from'] }] },
  ]),
  notFilter('asks for date_from with date_to', { order: { date_to: dates.date_to } }, [
    { order: [{ date_from: ['is required with date_to'] }] },
  ]),
  notFilter(
    'refuses a range that ends before it begins',
    { order: { date_from: dates.date_to, date_to: dates.date_from } },
    [{ order: [{ date_from: ['not valid, must be before date_to'] }] }],
  ),
  notFilter(
    'refuses an impossible date and one without time',
    { order: { date_from: '2021-02-30T00:00:00Z', date_to: '2021-12-31' } },
    [
      {
        order: [
          { date_from: ['not valid, must be a UTC timestamp such as 2022-01-31T00:00:00Z'] },
          { date_to: ['not valid, must be a UTC timestamp such as 2022-01-31T00:00:00Z'] },
        ],
      },
    ],
  ),
  ...['shipped_at', null].map((value) =>
    notFilter(`lists the date fields instead of ${value}`, { order: { ...dates, date_field: value } }, [
      {
        order: [
          {
            date_field: [
              'not valid, valid values are: current_date, approved_at, cancelled_at, created_at, placed_at, archived_at, updated_at, fulfillment_updated_at, payment_updated_at',
            ],
          },
        ],
      },
    ]),
  ),
  notFilter(
    'groups every violation of the filter by section',
    {
      line_items: { tax_rate: { in: [0.22] }, 'options.name': { in: ['x'] } },
      order: { gift_card_code: { in: ['ABCDEFGH'] } },
    },
    [
      {
        line_items: [
          { tax_rate: [`not valid, valid operators are: ${RANGE}`] },
          { 'options.name': ['not valid'] },
        ],
      },
      { order: [{ gift_card_code: ['not valid'] }] },
    ],
  ),
  notFilter('refuses an unknown section', { orders: dates }, [{ orders: ['not valid'] }]),
  notFilter('refuses an empty section', { order: {} }, [{ order: [blank] }]),
  notFilter('refuses a section that is no object', { order: 'x' }, [{ order: ['must be an object'] }]),
  notFilter(
    'nests the violations of a section in a section',
    { line_items: { options: { names: { eq: 'x' } } } },
    [{ line_items: [{ options: [{ names: ['not valid, valid operators are: in, not_in'] }] }] }],
  ),
  notFilter('lists the operators of a list', { order: { currency_codes: { eq: 'EUR' } } }, [
    { order: [{ currency_codes: ['not valid, valid operators are: in, not_in'] }] },
  ]),
  notFilter('refuses a bare value where an operator is needed', { order: { currency_codes: ['EUR'] } }, [
    { order: [{ currency_codes: ['not valid, must be an object with one of: in, not_in'] }] },
  ]),
  notFilter('refuses an empty condition', { order: { total_amount: {} } }, [
    { order: [{ total_amount: [`can't be blank, valid operators are: ${RANGE}`] }] },
  ]),
  notFilter('refuses two operators at once', { order: { total_amount: { gt: 1, lt: 2 } } }, [
    { order: [{ total_amount: [`not valid, exactly one operator is allowed of: ${RANGE}`] }] },
  ]),
  notFilter('refuses an operator on a boolean', { order: { archived: { eq: true } } }, [
    { order: [{ archived: ['not valid, must be true or false'] }] },
  ]),
  notFilter('refuses text as a number', { order: { total_amount: { gt: '10' } } }, [
    {
      order: [{ total_amount: [`not valid, gt must be ${DECIMAL}`] }],
    },
  ]),
  notFilter(
    'refuses more digits after the point than are compared, instead of comparing another number',
    { order: { discount_amount: { eq: 1e-9 }, total_amount: { gte_lte: [0.300000001, 1] } } },
    [
      {
        order: [
          { discount_amount: [`not valid, eq must be ${DECIMAL}`] },
          { total_amount: [`not valid, each value must be ${DECIMAL}`] },
        ],
      },
    ],
  ),
  notFilter('refuses a fraction where an integer is needed', { order: { skus_count: { gt: 1.5 } } }, [
    {
      order: [
        {
          skus_count: [
            'not valid, gt must be a number between -9007199254740991 and 9007199254740991, without a fraction',
          ],
        },
      ],
    },
  ]),
  notFilter('refuses a single value for a two-sided operator', { order: { total_amount: { gte_lte: 1 } } }, [
    { order: [{ total_amount: ['not valid, gte_lte takes an array of two numbers, low then high'] }] },
  ]),
  notFilter('refuses high before low', { order: { total_amount: { gt_lt: [2, 1] } } }, [
    { order: [{ total_amount: ['not valid, gt_lt takes the low value first'] }] },
  ]),
  notFilter('refuses an empty list', { order: { ids: { in: [] } } }, [
    { order: [{ ids: ['not valid, in takes an array of 1 to 1000 items'] }] },
  ]),
  notFilter('refuses numbers among text', { order: { ids: { in: ['a', 1] } } }, [
    { order: [{ ids: ['not valid, each item must be a string of at most 256 characters'] }] },
  ]),
  notFilter('refuses a text as the number of a market', { market: { numbers: { in: ['EU-1'] } } }, [
    { market: [{ numbers: ['not valid, each item must be an integer of at most 15 digits'] }] },
  ]),
  notFilter('lists the statuses', { order: { fulfillment_statuses: { in: ['not_required'] } } }, [
    {
      order: [{ fulfillment_statuses: ['not valid, valid values are: unfulfilled, in_progress, fulfilled'] }],
    },
  ]),
  notFilter('refuses a short gift card code', { order: { gift_card_codes: { in: ['ABC'] } } }, [
    { order: [{ gift_card_codes: ['not valid, each item must be a string of 8 to 256 characters'] }] },
  ]),
  notFilter('refuses another mode', { order: { mode: 'dev' } }, [
    { order: [{ mode: ['not valid, valid values are: live, test'] }] },
  ]),
  notFilter('explains a broken text query', { order: { aggregated_details: { query: '(a | b' } } }, [
    { order: [{ aggregated_details: ['not valid, a parenthesis is not closed'] }] },
  ]),
  notFilter(
    'refuses a key named like a property of objects',
    { order: { toString: { in: ['x'] }, constructor: { in: ['x'] } } },
    [{ order: [{ toString: ['not valid'] }, { constructor: ['not valid'] }] }],
  ),
  notQuery(
    'lists exactly the five operators of a date_breakdown',
    'date_breakdown',
    { ...sums, operator: 'value_count' },
    [{ operator: ['not valid, valid values are: avg, max, min, sum, stats'] }],
  ),
  notQuery(
    'refuses an operator of another field',
    'date_breakdown',
    { by: 'order.placed_at', field: 'order.id', operator: 'value_count' },
    [{ operator: ['not valid, valid values are: avg, max, min, sum, stats'] }],
  ),
  notQuery(
    'names an unknown field together with an operator that no date_breakdown takes',
    'date_breakdown',
    { by: 'nope', field: 'nope', interval: 'decade', operator: 'median' },
    [
      { by: [expect.stringMatching(/^not valid, valid values are: order\.approved_at, /)] },
      { field: [expect.stringMatching(/^not valid, valid values are: line_items\.discount, /)] },
      { operator: ['not valid, valid values are: avg, max, min, sum, stats'] },
      { interval: ['not valid, valid values are: hour, day, week, month, year'] },
    ],
  ),
  notQuery(
    'names a field together with a wrong operator',
    'date_breakdown',
    { ...sums, field: '', operator: 'median' },
    [{ field: ["can't be blank"] }, { operator: ['not valid, valid values are: avg, max, min, sum, stats'] }],
  ),
  notQuery('names a field and an operator that are none', 'stats', { field: 'nope', operator: 'median' }, [
    { field: [expect.stringMatching(/^not valid, valid values are: /)] },
    { operator: [expect.stringMatching(/^not valid, valid values are: .*value_count/)] },
  ]),
  notQuery('lists the operators of the field', 'stats', { field: 'order.id', operator: 'sum' }, [
    { operator: ['not valid, valid values are: cardinality, value_count'] },
  ]),
  notQuery('asks for what is missing', 'breakdown', { sort: 'asc' }, [
    { by: ["can't be blank"] },
    { field: ["can't be blank"] },
    { operator: ["can't be blank"] },
  ]),
  notQuery(
    'names every violation of the query at once',
    'breakdown',
    { ...counts, sort: 'up', limit: 0, size: 1 },
    [
      { size: ['not valid'] },
      { sort: ['not valid, valid values are: asc, desc'] },
      { limit: ['must be between 1 and 100'] },
    ],
  ),
  notQuery('refuses a limit above the maximum', 'breakdown', { ...counts, limit: 101 }, [
    { limit: ['must be between 1 and 100'] },
  ]),
  notQuery('refuses a limit with a fraction', 'search', { fields: ['order.id'], limit: 1.5 }, [
    { limit: ['must be an integer between 1 and 100'] },
  ]),
  notQuery('refuses a search limit above the maximum', 'search', { fields: ['order.id'], limit: 101 }, [
    { limit: ['must be between 1 and 100'] },
  ]),
  notQuery('refuses an empty list of fields', 'search', { fields: [] }, [{ fields: ["can't be blank"] }]),
  notQuery('names the unknown fields', 'search', { fields: ['order.id', 'order.foo', 'nope.*', 7] }, [
    { fields: [expect.stringMatching(/^not valid: "order\.foo", "nope\.\*", 7; /)] },
  ]),
  notQuery('refuses a cursor that was made up', 'search', { fields: ['order.id'], cursor: 'abc' }, [
    { cursor: [expect.stringMatching(/^not valid, /)] },
  ]),
  notQuery('refuses a cursor that is no text', 'search', { fields: ['order.id'], cursor: 1 }, [
    { cursor: ['not valid, must be a cursor or null'] },
  ]),
  notQuery(
    'lists what a search can be sorted by',
    'search',
    { fields: ['order.id'], sort_by: 'order.total_amount' },
    [{ sort_by: [expect.stringMatching(/^not valid, valid values are: order\.approved_at, /)] }],
  ),
  notQuery('lists the intervals', 'date_breakdown', { ...sums, interval: 'quarter' }, [
    { interval: ['not valid, valid values are: hour, day, week, month, year'] },
  ]),
  notQuery('refuses the same by in a nested breakdown', 'breakdown', { ...counts, breakdown: counts }, [
    { breakdown: [{ by: ['not valid, must differ from the by it is nested in'] }] },
  ]),
  notQuery(
    'refuses a forbidden nesting',
    'breakdown',
    { ...counts, by: 'billing_address.country_code', breakdown: { ...counts, by: 'customer.email' } },
    [{ breakdown: [{ by: ['not valid, cannot be nested in billing_address.country_code'] }] }],
  ),
  notQuery(
    'tells a forbidden nesting with what else is wrong there',
    'breakdown',
    { ...counts, breakdown: { ...counts, operator: 'sum' } },
    [
      {
        breakdown: [
          { by: ['not valid, must differ from the by it is nested in'] },
          { operator: ['not valid, valid values are: cardinality, value_count'] },
        ],
      },
    ],
  ),
  notQuery(
    'refuses a third level',
    'breakdown',
    { ...counts, breakdown: { ...counts, by: 'order.status', breakdown: { ...counts, by: 'order.guest' } } },
    [{ breakdown: [{ breakdown: ['not valid, no breakdown may be nested this deep'] }] }],
  ),
  notQuery(
    'refuses a condition on stats',
    'breakdown',
    { ...counts, field: 'order.total_amount', operator: 'stats', condition: { gt: 1 } },
    [
      {
        condition: [
          'not valid, stats gives no single number; use one of: value_count, cardinality, avg, max, min, sum',
        ],
      },
    ],
  ),
  notQuery(
    'refuses a fraction of a condition that is too long',
    'breakdown',
    { ...counts, condition: { gt: 0.123456789 } },
    [{ condition: [`not valid, gt must be ${DECIMAL}`] }],
  ),
  notQuery('lists the condition operators', 'breakdown', { ...counts, condition: { above: 1 } }, [
    { condition: [`not valid, valid operators are: ${RANGE}`] },
  ]),
  notQuery('lists what can be grouped by', 'breakdown', { ...counts, by: 'order.number' }, [
    { by: [expect.stringMatching(/^not valid, valid values are: billing_address\.business, /)] },
  ]),
  notQuery('refuses the interval of a plain breakdown', 'breakdown', { ...counts, interval: 'day' }, [
    { interval: ['not valid'] },
  ]),
]
