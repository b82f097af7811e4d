import type { Rule } from '@merx/jsonapi/rules'

/** Of the SKU. */
const READ = ['id', 'code']

/**
 * Prices, stock items and others name their SKU by relationship or by `sku_code`, of which a sent one must be the SKU's; an
 * empty one of the two says nothing next to the other. Both columns are stored.
 */
export const skuByCode: Rule = async ({ operation, after, sent, find }) => {
  const number = after['sku_id']
  const isCodeGiven = sent.has('sku_code') && (after['sku_code'] ?? null) !== null
  if (sent.has('sku') && !(number === null && isCodeGiven)) {
    // That the SKU is unknown was said already.
    if (number === undefined) return {}
    const sku = number === null ? undefined : await find.byNumber('skus', number, READ)
    if (sku === undefined) return blank
    if (isCodeGiven && after['sku_code'] !== sku['code']) {
      const message = 'must be the code of the SKU in the relationship'
      return {
        violations: [{ at: { attribute: 'sku_code' }, error: 'invalid', message, value: after['sku_code'] }],
      }
    }
    return { set: { sku_code: sku['code'] } }
  }
  if (!sent.has('sku_code')) return operation === 'create' ? blank : {}
  const code = after['sku_code']
  const sku = typeof code === 'string' ? await find.byColumn('skus', 'code', code, READ) : undefined
  if (sku === undefined) {
    const message = 'must be the code of an existing SKU'
    return { violations: [{ at: { attribute: 'sku_code' }, error: 'not_found', message, value: code }] }
  }
  return { set: { sku_id: sku['id'] } }
}

const blank = {
  violations: [
    { at: { relationship: 'sku' }, error: 'blank', message: "can't be blank, unless sku_code is given" },
  ],
}
