import type { Rule, RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import { skuByCode } from '../definitions/sku-by-code.ts'

/**
 * The SKU of a stock line item is that of the stock item, unless a SKU or a code names it; name and image follow. What was
 * taken stays as it was.
 */
export const skuOfStockLine: Rule = async (context) => {
  const { operation, before, after, sent } = context
  const violations: WriteViolation[] = []
  if (before !== undefined && before['decremented_at'] instanceof Date)
    violations.push(
      ...TAKEN.filter(({ column }) => before[column] !== after[column]).map(({ kind, name }) =>
        violation(kind, name, 'not_editable', 'cannot be changed once it was taken from stock'),
      ),
    )
  if (violations.length > 0) return { violations }
  if (isGiven('sku', context) || isGiven('sku_code', context))
    return described(await skuByCode(context), context)
  const isOpen = ['sku', 'sku_code', 'stock_item'].some((name) => sent.has(name))
  return operation === 'create' || isOpen ? described(await skuOfItem(context), context) : {}
}

/** An empty SKU or code leaves it to the stock item. */
const isGiven = (name: 'sku' | 'sku_code', { sent, after }: RuleContext): boolean =>
  sent.has(name) && after[name === 'sku' ? 'sku_id' : name] !== null

const skuOfItem = async ({ after, find }: RuleContext): Promise<RuleOutcome> => {
  const item = await find.byNumber('stock_items', after['stock_item_id'] ?? null, ['sku_id'])
  const number = item?.['sku_id'] ?? after['sku_id'] ?? null
  if (number !== null) return { set: { sku_id: number } }
  const message = "can't be blank, unless sku_code or a stock item is given"
  return { violations: [violation('relationship', 'sku', 'blank', message)] }
}

const READ = ['id', 'code', 'name', 'image_url']

/** With the name and image of the SKU that was found. */
const described = async (outcome: RuleOutcome, { after, find }: RuleContext): Promise<RuleOutcome> => {
  const number = outcome.set?.['sku_id'] ?? after['sku_id']
  const sku = outcome.violations === undefined ? await find.byNumber('skus', number, READ) : undefined
  if (sku === undefined) return outcome
  return { set: { sku_id: sku['id'], sku_code: sku['code'], name: sku['name'], image_url: sku['image_url'] } }
}

/** What says how much was taken, and where. */
const TAKEN = [
  { kind: 'attribute', name: 'quantity', column: 'quantity' },
  { kind: 'relationship', name: 'stock_item', column: 'stock_item_id' },
] as const

const violation = (
  kind: 'attribute' | 'relationship',
  name: string,
  error: string,
  message: string,
): WriteViolation => ({
  at: kind === 'attribute' ? { attribute: name } : { relationship: name },
  error,
  message,
})
