/** Promotions that are applied again to what they made change nothing (docs/adr/0110-how-promotions-apply.md). */
import type { Row } from '@merx/jsonapi/attributes'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import fc from 'fast-check'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import { candidateOf } from '../promotions/fixtures/examples.ts'
import type { ExamplePromotion } from '../promotions/fixtures/examples.ts'
import type { OrderLine } from './order-lines.ts'
import { withPromotions } from './promotion-lines.ts'
import { orderColumns, splitLines, toTotalsInput } from './totals/order-amounts.ts'
import { computeOrderTotals } from './totals/order-totals.ts'

const ORDER: Row = { id: 1, currency_code: 'EUR', tax_included: true, gift_card_amount_cents: 0 }

const line: fc.Arbitrary<Row> = fc.record({
  item_type: fc.constantFrom('skus', 'skus', 'skus', 'shipments', 'adjustments', 'payment_methods'),
  item_id: fc.integer({ min: 1, max: 5 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  unit_amount_cents: fc.integer({ min: 0, max: 100_000 }),
  options_amount_cents: fc.constantFrom(0, 0, 250),
  tax_rate: fc.constantFrom('0', '0.22000000'),
})

const promotion = fc.oneof(
  fc.record({ type: fc.constant('percentage_discount'), percentage: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ type: fc.constant('fixed_amount'), fixed_amount_cents: fc.integer({ min: 0, max: 200_000 }) }),
  fc.record({
    type: fc.constant('flex'),
    actions: fc.array(
      fc.oneof(
        fc.record({
          type: fc.constantFrom('percentage'),
          selector: fc.constantFrom('order', 'order.line_items.sku'),
          value: fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
        }),
        fc.record({
          type: fc.constantFrom('fixed_amount', 'fixed_price'),
          selector: fc.constantFrom('order', 'order.line_items.sku'),
          value: fc.integer({ min: 0, max: 200_000 }),
        }),
      ),
      { maxLength: 2 },
    ),
  }),
  fc.record({ type: fc.constant('free_shipping') }),
) as fc.Arbitrary<ExamplePromotion>

const drawn = fc.record({
  lines: fc.array(line, { maxLength: 8 }),
  promotions: fc.array(promotion, { maxLength: 4 }),
})

/** As they would be read again: new lines have numbers. */
const stored = (lines: readonly OrderLine[]): readonly OrderLine[] =>
  lines.flatMap(({ after }, at) => {
    if (after === undefined) return []
    const row = { id: at + 1, ...after }
    return [{ before: row, after: row }]
  })

const totalsOf = (lines: readonly OrderLine[]): Row => {
  const split = splitLines(lines.flatMap(({ after }) => (after === undefined ? [] : [after])))
  return orderColumns(computeOrderTotals(toTotalsInput(ORDER, split, testIds)), split)
}

const apply = ({
  lines,
  promotions,
}: {
  lines: readonly OrderLine[]
  promotions: readonly ExamplePromotion[]
}) => {
  const quantities = lines.map(({ after }) => columnsOf('LineItem', after ?? {}).quantity ?? 0)
  const candidates = promotions.map((each, at) => candidateOf(each, at, {}, quantities))
  return withPromotions(ORDER, lines, { candidates, lists: new Map(), bundleLists: new Map() }, testIds)
}

it('a second time gives the same lines and the same totals', () => {
  fc.assert(
    fc.property(drawn, ({ lines, promotions }) => {
      const once = stored(
        apply({ lines: stored(lines.map((row) => ({ before: undefined, after: row }))), promotions }),
      )
      const twice = stored(apply({ lines: once, promotions }))
      expect(twice).toEqual(once)
      expect(totalsOf(twice)).toEqual(totalsOf(once))
    }),
    { numRuns: 1000 },
  )
})

it('the lines of promotions add up to the discount, and to what other lines were given', () => {
  fc.assert(
    fc.property(drawn, ({ lines, promotions }) => {
      const applied = stored(
        apply({ lines: stored(lines.map((row) => ({ before: undefined, after: row }))), promotions }),
      )
      const split = splitLines(applied.flatMap(({ after }) => (after === undefined ? [] : [after])))
      const computed = computeOrderTotals(toTotalsInput(ORDER, split, testIds))
      const taken = split.promotions.reduce((sum, row) => sum + rowOf('LineItem', row).unit_amount_cents, 0)
      expect(computed.totals.discount).toBe(taken)
      expect(computed.lines.reduce((sum, { discountCents }) => sum + discountCents, 0)).toBe(taken)
    }),
    { numRuns: 1000 },
  )
})

it('without promotions nothing is left of what they made', () => {
  fc.assert(
    fc.property(drawn, ({ lines, promotions }) => {
      const bare = stored(
        lines.map((row) => ({ before: undefined, after: { ...row, discount_breakdown: null } })),
      )
      const without = apply({ lines: stored(apply({ lines: bare, promotions })), promotions: [] })
      expect(stored(without).map(({ after }) => after)).toEqual(bare.map(({ after }) => after))
    }),
    { numRuns: 1000 },
  )
})
