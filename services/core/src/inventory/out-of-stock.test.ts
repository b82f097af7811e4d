import { outOfStock } from './out-of-stock.ts'

const shortages = [
  { wanted: 5, available: 3 },
  { wanted: 1, available: -2 },
]

test('says how much was wanted, and how much there is, which is never less than nothing', () => {
  const violation = { error: 'out_of_stock', message: 'is out of stock' }
  const at = { attribute: 'quantity' }
  expect(outOfStock(shortages)).toEqual([
    { ...violation, at, value: 5, count: 3 },
    { ...violation, at, value: 1, count: 0 },
  ])
})

test('says it of what the caller names', () => {
  const at = { relationship: 'stock_item' }
  expect(outOfStock(shortages, at).map((violation) => violation.at)).toEqual([at, at])
})
