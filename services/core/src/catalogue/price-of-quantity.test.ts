import fc from 'fast-check'
import { unitPriceOf } from './price-of-quantity.ts'

const tiers = [
  { up_to: 5, price: 900 },
  { up_to: 10, price: 800 },
]

it.each([
  [1, 900],
  [5, 900],
  [6, 800],
  [10, 800],
  [11, 1000],
])('of %d units with tiers up to 5 and 10, one costs %d', (quantity, cents) => {
  expect(unitPriceOf(1000, tiers, quantity)).toBe(cents)
})

it('a tier without a limit is for any more', () => {
  expect(unitPriceOf(1000, [...tiers, { up_to: null, price: 700 }], 11)).toBe(700)
})

it('costs less or the same the more are bought, when every tier does', () => {
  const falling = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(
      falling,
      fc.integer({ min: 1, max: 2000 }),
      fc.integer({ min: 0, max: 100 }),
      (limits, few, more) => {
        const sorted = limits.toSorted((a, b) => a - b)
        const its = [
          ...sorted.map((limit, at) => ({ up_to: limit, price: 2000 - at })),
          { up_to: null, price: 2000 - limits.length },
        ]
        expect(unitPriceOf(2000, its, few + more)).toBeLessThanOrEqual(unitPriceOf(2000, its, few))
      },
    ),
  )
})
