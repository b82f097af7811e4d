import { PROMOTION_TYPES } from './promotion-types.ts'
import { PRIORITY_MAX, weighed, weightOf } from './weight.ts'
import type { Weighed } from './weight.ts'

const promotion = (more: Partial<Weighed> = {}): Weighed => ({
  exclusive: false,
  priority: 5,
  type: 'percentage_discount_promotions',
  startsAt: new Date('2026-01-01T00:00:00Z'),
  ...more,
})

test.each<[string, Partial<Weighed>, Partial<Weighed>]>([
  ['an exclusive one before all others', { exclusive: true, priority: PRIORITY_MAX }, { priority: 0 }],
  ['the lower priority', { priority: 4, type: 'free_shipping_promotions' }, { type: 'free_gift_promotions' }],
  ['any priority before none', { priority: PRIORITY_MAX }, { priority: null }],
  ['a gift before a fixed price', { type: 'free_gift_promotions' }, { type: 'fixed_price_promotions' }],
  ['the earlier start', {}, { startsAt: new Date('2026-01-01T00:01:00Z') }],
])('%s', (_name, first, second) => {
  expect(weightOf(promotion(first))).toBeGreaterThan(weightOf(promotion(second)))
})

test('types follow each other as they are listed', () => {
  const weights = PROMOTION_TYPES.map((type) => weightOf(promotion({ type })))
  expect(weights).toEqual(weights.toSorted((a, b) => b - a))
  expect(new Set(weights).size).toBe(PROMOTION_TYPES.length)
})

test('it is a whole number, whatever it is made of', () => {
  for (const startsAt of [new Date(-8.64e15), new Date(0), new Date(8.64e15)])
    for (const priority of [null, 0, PRIORITY_MAX])
      for (const exclusive of [false, true]) {
        const weight = weightOf(promotion({ startsAt, priority, exclusive }))
        expect(Number.isSafeInteger(weight) && weight >= 0).toBe(true)
      }
})

// Priority 5 is 999,995 of 1,000,000; gifts are 9 of 9; the minutes are counted down from 99,999,999.
test.each<[Partial<Weighed>, number]>([
  [{}, 999_995_999_999_999],
  [{ startsAt: new Date(60_000) }, 999_995_999_999_998],
  [{ startsAt: new Date(8.64e15) }, 999_995_900_000_000],
  [{ type: 'fixed_price_promotions' }, 999_995_899_999_999],
  [{ priority: 0 }, 1_000_000_999_999_999],
  [{ priority: null }, 999_999_999],
  [{ exclusive: true }, 1_999_996_999_999_999],
])('a gift from 1970 with %j weighs %d', (more, weight) => {
  const gift = { type: 'free_gift_promotions', startsAt: new Date(0) } as const
  expect(weightOf(promotion({ ...gift, ...more }))).toBe(weight)
})

describe('a promotion that is written', () => {
  const weightAfter = (after: object) =>
    weighed('free_gift_promotions')({ after } as unknown as Parameters<ReturnType<typeof weighed>>[0])

  test.each([
    [{ priority: 5 }, 999_995_999_999_999],
    [{ priority: 5, exclusive: false }, 999_995_999_999_999],
    [{ priority: 5, exclusive: true }, 1_999_996_999_999_999],
    [{}, 999_999_999],
  ])('of %j has the weight %d', (columns, weight) => {
    expect(weightAfter({ starts_at: new Date(0), ...columns })).toEqual({ set: { weight } })
  })

  test.each([undefined, '2026-01-01'])('has none while its start is %j', (starts_at) => {
    expect(weightAfter({ priority: 5, starts_at })).toEqual({})
  })
})
