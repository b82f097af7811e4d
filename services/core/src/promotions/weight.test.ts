import { PROMOTION_TYPES } from './promotion-types.ts'
import { PRIORITY_MAX, weightOf } from './weight.ts'
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
