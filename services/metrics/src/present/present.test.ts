import type { Resource } from '../catalogue/attribute.ts'
import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import type { Row } from '../engine/engine.ts'
import type { Breakdown } from '../request/query.ts'
import { nestBuckets } from './buckets.ts'
import { toRecord } from './record.ts'
import { toMeasuredValue } from './value.ts'

const resource = loadCatalogue().get('orders') as Resource
const at = (path: string) => {
  const attribute = resource.attributes.get(path)
  if (attribute === undefined) throw new Error(path)
  return attribute
}

describe('values', () => {
  const field = at('order.total_amount')

  it('are numbers, from exact text', () => {
    expect(toMeasuredValue({ value: '90071992547409.91' }, { field, operator: 'sum' })).toBe(
      90_071_992_547_409.91,
    )
    expect(toMeasuredValue({ value: null }, { field, operator: 'avg' })).toBeNull()
  })

  it('of stats are five', () => {
    const row = { count: '2', min: '1.5', max: '2', avg: '1.75', sum: '3.5' }
    expect(toMeasuredValue(row, { field, operator: 'stats' })).toEqual({
      count: 2,
      min: 1.5,
      max: 2,
      avg: 1.75,
      sum: 3.5,
    })
  })

  it('of percentiles are keyed by percent, null without values', () => {
    const keys = ['1.0', '5.0', '25.0', '50.0', '75.0', '95.0', '99.0']
    const nearest = keys.map((_, index) => [`${index}.5`])
    const percentiles = (row: Row) => toMeasuredValue(row, { field, operator: 'percentiles' })
    expect(percentiles({ nearest, counted: '1' })).toEqual(
      Object.fromEntries(keys.map((key, index) => [key, index + 0.5])),
    )
    expect(percentiles({ nearest: keys.map(() => []), counted: '0' })).toEqual(
      Object.fromEntries(keys.map((key) => [key, null])),
    )
  })
})

describe('buckets', () => {
  const inner: Breakdown = {
    by: at('order.currency_code'),
    field: at('order.id'),
    operator: 'value_count',
    sort: 'desc',
    limit: 10,
  }
  const outer: Breakdown = { ...inner, by: at('market.name'), breakdown: inner }

  it('hold the buckets inside them under their path, also when there are none', () => {
    const rows = [
      [
        { k0: 'US', value: '3' },
        { k0: 'UK', value: '2' },
      ],
      [
        { k0: 'US', k1: 'USD', value: '2' },
        { k0: 'US', k1: 'EUR', value: '1' },
      ],
    ]
    expect(nestBuckets(outer, rows, 0)({})).toEqual({
      'market.name': [
        {
          label: 'US',
          value: 3,
          'order.currency_code': [
            { label: 'USD', value: 2 },
            { label: 'EUR', value: 1 },
          ],
        },
        { label: 'UK', value: 2, 'order.currency_code': [] },
      ],
    })
  })

  it('leave out an inner bucket whose outer one is not shown', () => {
    const rows = [[{ k0: 'US', value: '3' }], [{ k0: 'FR', k1: 'EUR', value: '1' }]]
    expect(nestBuckets(outer, rows, 0)({})).toEqual({
      'market.name': [{ label: 'US', value: 3, 'order.currency_code': [] }],
    })
  })
})

describe('records', () => {
  const fields = [
    'order.number',
    'order.placed_at',
    'order.total_amount',
    'order.skus_count',
    'order.archived',
    'order.reference',
    'market.number',
    'customer.email',
    'customer.reference',
    'billing_address.city',
    'line_items.code',
    'line_items.tax_rate',
    'line_items.options.name',
    'line_items.options.quantity',
    'shipments.stock_location.name',
    'shipments.items',
    'shipments.tags.name',
    'shipments.shipped_at',
    'refunds.id',
  ].map(at)

  const row = {
    number: '2438491',
    placed_at: '2022-06-27 06:01:32.361',
    total_amount: '205',
    skus_count: '2',
    archived: false,
    reference: null,
    market_number: '1234',
    customer_email: 'jess@example.net',
    customer_reference: null,
    billing_address_city: null,
    'line_items.code': ['A', null],
    'line_items.tax_rate': ['0.22', '0.0725'],
    'line_items.options_name': [['Engraving', null], []],
    'line_items.options_quantity': [['1', '2'], []],
    'shipments.stock_location_name': ['North', null],
    'shipments.items': [['A', 'B'], []],
    'shipments.tags_name': [[], []],
    'shipments.shipped_at': ['2022-06-28 00:00:00.000', null],
    'refunds.id': [],
  }

  it('nest entities, and leave out what has no value', () => {
    expect(toRecord(fields, 'qjobhrmrDV', row)).toEqual({
      id: 'qjobhrmrDV',
      number: '2438491',
      placed_at: '2022-06-27T06:01:32.361Z',
      total_amount: 205,
      skus_count: 2,
      archived: false,
      market: { number: '1234' },
      customer: { email: 'jess@example.net' },
      line_items: [
        { code: 'A', tax_rate: 0.22, options: [{ name: 'Engraving', quantity: 1 }, { quantity: 2 }] },
        { tax_rate: 0.0725 },
      ],
      shipments: [
        { stock_location: { name: 'North' }, items: ['A', 'B'], shipped_at: '2022-06-28T00:00:00.000Z' },
      ],
    })
  })

  it('always have their id', () => {
    expect(toRecord([], 'qjobhrmrDV', {})).toEqual({ id: 'qjobhrmrDV' })
  })
})
