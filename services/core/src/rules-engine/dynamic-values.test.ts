import { askedTree } from './asked-tree.ts'
import { isDynamic, isKnownExpression, resolveValue } from './dynamic-values.ts'

const order = { placed_at: '2026-01-31T10:00:00.000Z', name: 'Ann', none: null }

const resolved = (value: unknown): unknown =>
  resolveValue(value, askedTree({ order }, new Date('2026-11-28T12:00:00Z')))

test.each([
  ['{{today}}', '2026-11-28'],
  ['{{ today }}', '2026-11-28'],
  ['{{order.name}}', 'Ann'],
  ['{{order.placed_at}}', order.placed_at],
  ['{{order.none}}', null],
  ['{{year(today)}}', 2026],
  ['{{month(today)}}', 11],
  ['{{day(today)}}', 28],
  ['{{ year( order.placed_at ) }}', 2026],
  ['{{month(order.placed_at)}}', 1],
  ['{{day(order.placed_at)}}', 31],
  ['{{day(order.name)}}', null],
  ['{{year(order.none)}}', null],
])('%s is %j', (expression, value) => {
  expect(resolved(expression)).toEqual(value)
})

test.each([
  ['today, 7.days', '2026-11-28T00:00:00.000Z', '2026-12-05T00:00:00.000Z'],
  ['today, -7.days', '2026-11-21T00:00:00.000Z', '2026-11-28T00:00:00.000Z'],
  ['today,12.months', '2026-11-28T00:00:00.000Z', '2027-11-28T00:00:00.000Z'],
  ['order.placed_at, 1.months', '2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
  ['order.placed_at, 2.months', '2026-01-31T10:00:00.000Z', '2026-03-31T10:00:00.000Z'],
  ['order.placed_at, -2.months', '2025-11-30T10:00:00.000Z', '2026-01-31T10:00:00.000Z'],
  [' order.placed_at , 2.years ', '2026-01-31T10:00:00.000Z', '2028-01-31T10:00:00.000Z'],
])('range(%s) is from %s to %s', (range, from, to) => {
  expect(resolved(`{{range(${range})}}`)).toEqual([from, to])
})

test('a range of no date is none', () => {
  expect(resolved('{{range(order.none, 1.days)}}')).toBeNull()
})

test('what is no expression is what it is, also in a list', () => {
  const values = [5, true, 'Ann', 'x {{today}}', null]
  for (const value of values) expect(resolved(value)).toBe(value)
  expect(resolved(['{{today}}', ...values])).toEqual(['2026-11-28', ...values])
})

test.each([
  [true, '{{today}}'],
  [false, 'today'],
  [false, ' {{today}}'],
  [false, 5],
  [false, null],
])('%s: %j is dynamic', (expected, value) => {
  expect(isDynamic(value)).toBe(expected)
})

test.each([
  ...['{{today}}', '{{ order.placed_at }}', '{{order.metadata.year_2}}', '{{year(today)}}'],
  ...['{{day( order.placed_at )}}', '{{range(today,-1.years)}}', '{{range(order.placed_at, 30.days)}}'],
])('%s is known', (expression) => {
  expect(isKnownExpression(expression)).toBe(true)
})

test.each([
  ...[
    '{{}}',
    '{{today',
    '{{today}} ',
    '{{tomorrow}}',
    '{{todays}}',
    '{{order}}',
    '{{order.}}',
    '{{order.A}}',
  ],
  ...['{{hour(today)}}', '{{year()}}', '{{year(tomorrow)}}', '{{year(today) }} }}', '{{my order.a}}'],
  ...['{{range(today, 7.weeks)}}', '{{range(today, 12345.days)}}', '{{range(today, x.days)}}'],
  ...[
    '{{range(today)}}',
    '{{range(today, 7.days) x}}',
    '{{range(tomorrow, 1.days)}}',
    '{{arange(today, 1.days)}}',
    '{{a year(today)}}',
  ],
])('%s is not known', (expression) => {
  expect(isKnownExpression(expression)).toBe(false)
})
