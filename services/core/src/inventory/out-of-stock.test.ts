import { outOfStock, outOfStockAmong } from './out-of-stock.ts'

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

test('names the SKU of each stock item, where there are several', () => {
  const lines = [
    { stock_item_id: 1, sku_code: 'SHIRT' },
    { stock_item_id: 2, sku_code: 'SHOES' },
  ]
  const violations = outOfStockAmong(
    lines,
    [
      { stockItem: 2, wanted: 5, available: 3 },
      { stockItem: 1, wanted: 1, available: -2 },
    ],
    'stock_line_items',
  )
  const violation = { at: { relationship: 'stock_line_items' }, error: 'out_of_stock' }
  expect(violations).toEqual([
    { ...violation, message: 'has 5 of SHOES, which is out of stock; available: 3', value: 5, count: 3 },
    { ...violation, message: 'has 1 of SHIRT, which is out of stock; available: 0', value: 1, count: 0 },
  ])
})
