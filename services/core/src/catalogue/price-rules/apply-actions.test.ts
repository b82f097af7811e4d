/** What a price of 99.99 with a compare-at price of 120.00 comes to, worked out by hand. */
import { askRules } from '../../rules-engine/ask-rules.ts'
import { askedTree } from '../../rules-engine/asked-tree.ts'
import { parseRules } from '../../rules-engine/rules-schema.ts'
import { applyActions } from './apply-actions.ts'
import type { PriceAmounts } from './apply-actions.ts'

const SHIRT = { id: 'sku', code: 'SHIRT-1', tags: [{ name: 'sale' }, { name: 'summer' }] }
const price = { id: 'price', type: 'prices', amount_cents: 9999, compare_at_amount_cents: 12_000, sku: SHIRT }
const BEFORE: PriceAmounts = { amount_cents: 9999, compare_at_amount_cents: 12_000 }
const IS_SHIRT = { field: 'price.sku.code', matcher: 'start_with', value: 'SHIRT' }

const outcomesOf = (...rules: readonly object[]) => {
  const parsed = parseRules({ rules: rules.map((rule) => ({ name: 'A rule', ...rule })) }, 'price')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.violations))
  return askRules(parsed.value, askedTree({ price }, new Date('2026-11-28T12:00:00Z')))
}

const after = (
  actions: readonly object[],
  conditions: readonly object[] = [IS_SHIRT],
  before = BEFORE,
): readonly unknown[] => Object.values(applyActions(outcomesOf({ conditions, actions }), before))

const TENTH = { type: 'percentage', selector: 'price', value: '0.1' }

describe('an action', () => {
  it.each<[string, object, number, number]>([
    ['percentage, rounded half up: 999.9 off', TENTH, 8999, 12_000],
    ['percentage of one', { ...TENTH, value: 1 }, 0, 12_000],
    ['percentage of nothing', { ...TENTH, value: 0 }, 9999, 12_000],
    ['fixed amount', { type: 'fixed_amount', selector: 'price', value: 1000 }, 8999, 12_000],
    ['fixed amount above the price', { type: 'fixed_amount', selector: 'price', value: '20000' }, 0, 12_000],
    ['fixed price', { type: 'fixed_price', selector: 'price', value: 5000 }, 5000, 12_000],
    [
      'fixed price above the price',
      { type: 'fixed_price', selector: 'price', value: 11_000 },
      11_000,
      12_000,
    ],
    ['on the amount, said', { ...TENTH, apply_on: 'amount_cents' }, 8999, 12_000],
    ['on the compare-at price', { ...TENTH, apply_on: 'compare_at_amount_cents' }, 9999, 10_800],
    ['of what the path leads to', { ...TENTH, selector: 'price.sku' }, 8999, 12_000],
    ['of the SKU of that id', { ...TENTH, selector: 'price.sku.id', identifier: 'sku' }, 8999, 12_000],
    ['of the SKU of another id', { ...TENTH, selector: 'price.sku.id', identifier: 'other' }, 9999, 12_000],
    [
      'limited to more than there is',
      { ...TENTH, limit: { value: 2, sort: { attribute: 'id', direction: 'asc' } } },
      8999,
      12_000,
    ],
  ])('%s', (_name, action, amount, compareAt) => {
    expect(after([action])).toEqual([amount, compareAt])
  })

  it('follows another on what that left', () => {
    const fixed = { type: 'fixed_amount', selector: 'price', value: 1000 }
    expect(after([TENTH, fixed])).toEqual([7999, 12_000])
    expect(after([fixed, TENTH])).toEqual([8099, 12_000])
  })

  it('is of a group that the price is in', () => {
    const grouped = { ...IS_SHIRT, group: 'shirts' }
    const hats = { field: 'price.sku.code', matcher: 'start_with', value: 'HAT', group: 'hats' }
    const rule = (group: string) => ({
      conditions_logic: 'or',
      conditions: [grouped, hats],
      actions: [{ ...TENTH, groups: [group] }],
    })
    expect(applyActions(outcomesOf(rule('shirts')), BEFORE).amount_cents).toBe(8999)
    expect(applyActions(outcomesOf(rule('hats')), BEFORE).amount_cents).toBe(9999)
  })

  it('leaves out a compare-at price that is not there', () => {
    const none = { amount_cents: 9999, compare_at_amount_cents: null }
    expect(after([{ ...TENTH, apply_on: 'compare_at_amount_cents' }], [IS_SHIRT], none)).toEqual([9999, null])
  })
})

describe('a rule', () => {
  it.each<[string, object, number]>([
    ['code that begins otherwise', { ...IS_SHIRT, value: 'HAT' }, 9999],
    ['amount above a limit', { field: 'price.amount_cents', matcher: 'gt', value: 9998 }, 8999],
    ['amount not above a limit', { field: 'price.amount_cents', matcher: 'gt', value: 9999 }, 9999],
    ['tag of the SKU', { field: 'price.sku.tags.name', matcher: 'eq', value: 'summer' }, 8999],
    [
      'all tags of the SKU',
      { field: 'price.sku.tags.name', matcher: 'eq', value: 'summer', scope: 'all' },
      9999,
    ],
    ['customer that nobody is', { field: 'price.jwt_customer.email', matcher: 'present' }, 9999],
  ])('is asked about a %s', (_name, condition, amount) => {
    expect(after([TENTH], [condition])[0]).toBe(amount)
  })

  it('comes after one of a lower priority', () => {
    const set = {
      priority: 2,
      conditions: [IS_SHIRT],
      actions: [{ type: 'fixed_price', selector: 'price', value: 8000 }],
    }
    const less = { priority: 1, conditions: [IS_SHIRT], actions: [TENTH] }
    expect(applyActions(outcomesOf(set, less), BEFORE).amount_cents).toBe(8000)
    expect(applyActions(outcomesOf({ ...set, priority: 0 }, less), BEFORE).amount_cents).toBe(7200)
  })
})
