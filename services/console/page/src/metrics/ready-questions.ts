/** Questions that most shops ask, each one click away. The only fields that this page names; the catalogue has them all. */
import { t } from '../language/text.ts'
import { resourceOf, type MayRead } from './catalogue.ts'
import { isMoney, readQuestion, withFilter, type Question, type RawQuestion } from './question.ts'

export interface ReadyQuestion {
  readonly name: () => string
  readonly raw: RawQuestion
}

const SALES = { of: 'orders', date: 'placed_at', days: 30 } as const
const REVENUE = { field: 'order.total_amount_with_taxes', operator: 'sum' } as const
const SKUS = ['line_items.types', 'in', ['skus']] as const

/** The first one is what the screen begins with. */
export const readyQuestions: readonly ReadyQuestion[] = [
  {
    name: () => t('Revenue by day'),
    raw: {
      ...SALES,
      ...REVENUE,
      kind: 'date_breakdown',
      by: 'order.placed_at',
      interval: 'day',
      compare: true,
    },
  },
  {
    name: () => t('Orders by day'),
    raw: {
      ...SALES,
      kind: 'date_breakdown',
      field: 'order.skus_count',
      operator: 'stats',
      member: 'count',
      by: 'order.placed_at',
      interval: 'day',
    },
  },
  {
    name: () => t('Revenue by market'),
    raw: { ...SALES, ...REVENUE, kind: 'breakdown', by: 'market.name', compare: true },
  },
  {
    name: () => t('Best-selling SKUs'),
    raw: {
      ...SALES,
      kind: 'breakdown',
      field: 'line_items.quantity',
      operator: 'sum',
      by: 'line_items.code',
      filters: [SKUS],
    },
  },
  {
    name: () => t('Average order by country'),
    raw: {
      ...SALES,
      kind: 'breakdown',
      field: 'order.total_amount_with_taxes',
      operator: 'avg',
      by: 'order.country_code',
    },
  },
  {
    name: () => t('New and returning customers'),
    raw: {
      ...SALES,
      ...REVENUE,
      kind: 'date_breakdown',
      by: 'order.placed_at',
      interval: 'week',
      split: 'order.customer_type',
      days: 90,
      view: 'stacked',
    },
  },
  {
    name: () => t('Cancelled orders'),
    raw: {
      ...{ of: 'orders', date: 'cancelled_at', kind: 'search' },
      fields: [
        'order.number',
        'order.cancelled_at',
        'customer.email',
        'order.total_amount_with_taxes',
        'order.currency_code',
      ],
    },
  },
  {
    name: () => t('Carts left behind'),
    raw: {
      of: 'carts',
      date: 'updated_at',
      kind: 'breakdown',
      field: 'order.id',
      operator: 'value_count',
      by: 'order.country_code',
    },
  },
  {
    name: () => t('Returned SKUs'),
    raw: {
      of: 'returns',
      date: 'created_at',
      kind: 'breakdown',
      field: 'return_line_items.quantity',
      operator: 'sum',
      by: 'return_line_items.line_item_code',
    },
  },
  {
    name: () => t('Returns by status'),
    raw: {
      of: 'returns',
      date: 'created_at',
      kind: 'breakdown',
      field: 'return.id',
      operator: 'value_count',
      by: 'return.status',
    },
  },
]

/** Those that ask about nothing that the role may not read. */
export const readableQuestions = (mayRead: MayRead): readonly ReadyQuestion[] =>
  readyQuestions.filter(({ raw }) => {
    const { of, field, by, split, fields } = readQuestion(raw)
    const { subject, attributes } = resourceOf(of)
    const told = [field, by, split, ...fields].flatMap((path) => attributes[path]?.tells ?? [])
    return [subject, ...told].every(mayRead)
  })

/** Amounts in the currency that most orders have. */
export const toQuestion = ({ raw }: ReadyQuestion, currency: string | undefined): Question => {
  const question = readQuestion(raw)
  if (currency === undefined || !isMoney(question)) return question
  return withFilter(question, [resourceOf(question.of).currencyFilter, 'in', [currency]])
}
