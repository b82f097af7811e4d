/** The worked examples of test/data/promotion-examples.json, each to the cent. */
import { readFileSync } from 'node:fs'
import { discountOrder } from './discount-order.ts'
import { candidateOf, linesOf, listsOf, subtotalOf } from './fixtures/examples.ts'
import type { Example, ExampleList } from './fixtures/examples.ts'

const { lists, examples } = JSON.parse(
  readFileSync(new URL('../../test/data/promotion-examples.json', import.meta.url), 'utf8'),
) as { readonly lists: Readonly<Record<string, ExampleList>>; readonly examples: readonly Example[] }

test.each(examples.map((example) => [example.name, example] as const))('%s', (_name, example) => {
  const { promotions, expected, adjustment_cents: adjustmentCents = 0 } = example
  const lines = linesOf(example, lists)
  const quantities = lines.map(({ quantity }) => quantity)
  const applied = discountOrder(
    promotions.map((promotion, at) => candidateOf(promotion, at, lists, quantities)),
    {
      lines,
      lists: listsOf(example, lists),
      subtotalCents: subtotalOf(lines),
      adjustmentCents,
    },
  )
  const taken = (at: number): number =>
    applied.find(({ candidate }) => candidate.promotion.id === at)?.cents ?? 0
  const given = (at: number): number =>
    applied.reduce((sum, { shares }) => sum + (shares.get(at)?.cents ?? 0), 0)
  expect({
    discounts: promotions.map((_promotion, at) => taken(at)),
    lines: lines.map(({ at }) => given(at)),
  }).toEqual(expected)
})

test('no two examples have one name', () => {
  const names = examples.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
