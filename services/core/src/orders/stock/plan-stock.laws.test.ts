/** Whatever lines of SKUs and bundles want: nothing is taken twice, nothing is lost, and each stock item keeps the rest. */
import fc from 'fast-check'
import { allocateStock, isPlanCovered } from './plan-stock.ts'
import type { LineOfSku, StockLine } from './plan-stock.ts'
import type { StockPlace } from './stock-places.ts'

const SKUS = [1, 2, 3] as const

/** SKU → units in one unit of the line. */
const contents = fc.uniqueArray(
  fc.record({ sku: fc.constantFrom(...SKUS), perUnit: fc.integer({ min: 1, max: 3 }) }),
  { selector: ({ sku }) => sku, minLength: 1, maxLength: 3 },
)

const lines: fc.Arbitrary<readonly LineOfSku[]> = fc
  .array(fc.record({ contents, units: fc.integer({ min: 1, max: 4 }) }), { maxLength: 5 })
  .map((wanted) =>
    wanted.flatMap(({ contents: parts, units }, line) =>
      parts.map(({ sku, perUnit }) => ({ line, sku, quantity: perUnit * units, isTracked: true })),
    ),
  )

const places: fc.Arbitrary<readonly StockPlace[]> = fc
  .array(fc.record({ sku_id: fc.constantFrom(...SKUS), quantity: fc.integer({ min: 0, max: 20 }) }), {
    maxLength: 6,
  })
  .map((items) =>
    items.map((item, at) => ({
      ...item,
      ...{ id: at + 1, stock_location_id: at + 1, reserved: 0, own: 0, is_counted: true },
    })),
  )

const sum = (rows: readonly { readonly quantity: number }[]): number =>
  rows.reduce((all, { quantity }) => all + quantity, 0)

it('stock after is stock before less the parts of all lines', () => {
  fc.assert(
    fc.property(lines, places, (wanted, stock) => {
      const { shares, shortages } = allocateStock(wanted, [], stock)
      for (const item of stock)
        expect(sum(shares.filter(({ stockItem }) => stockItem === item.id))).toBeLessThanOrEqual(
          item.quantity,
        )
      for (const { line, sku, quantity } of wanted)
        expect(sum(shares.filter((each) => each.line === line && each.sku === sku))).toBeLessThanOrEqual(
          quantity,
        )
      for (const number of SKUS) {
        const ofSku = ({ sku }: { readonly sku: number }) => sku === number
        const before = sum(stock.filter(({ sku_id: sku }) => sku === number))
        const parts = sum(wanted.filter(ofSku))
        expect(before - sum(shares.filter(ofSku))).toBe(Math.max(0, before - parts))
        expect(shortages.some(ofSku)).toBe(parts > before)
      }
    }),
  )
})

it('what was allocated covers the lines, and allocating again takes nothing', () => {
  fc.assert(
    fc.property(lines, places, (wanted, stock) => {
      const { shares, shortages } = allocateStock(wanted, [], stock)
      const stockLines = shares.map(({ line, sku, stockItem, quantity }, at): StockLine => ({
        id: at,
        line_item_id: line,
        sku_id: sku,
        stock_item_id: stockItem,
        quantity,
      }))
      const again = allocateStock(wanted, stockLines, stock)
      expect([again.shares, again.shortages.length]).toEqual([[], shortages.length])
      const isCovered = isPlanCovered({ lines: wanted, stockLines, transfers: [], places: stock })
      expect(isCovered).toBe(shortages.length === 0)
    }),
  )
})
