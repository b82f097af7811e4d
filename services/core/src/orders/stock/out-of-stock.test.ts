import type { OrderStock } from './order-stock.ts'
import { outOfStockIn } from './out-of-stock.ts'

test('says how much an order has of a SKU, and how much there is', () => {
  const skus = new Map([[1, { code: 'HAT' }]])
  const shortages = [
    { sku: 1, quantity: 5, missing: 2 },
    { sku: 2, quantity: 1, missing: 1 },
  ]
  expect(outOfStockIn({ skus } as unknown as OrderStock, { shares: [], shortages })).toEqual([
    {
      at: { relationship: 'line_items' },
      error: 'out_of_stock',
      message: 'has 5 of HAT, which is out of stock; available: 3',
      value: 5,
      count: 3,
    },
    {
      at: { relationship: 'line_items' },
      error: 'out_of_stock',
      message: 'has 1 of , which is out of stock; available: 0',
      value: 1,
      count: 0,
    },
  ])
})
