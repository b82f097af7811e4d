/** A payment method is of one market and one currency: those of its store, or of its market. Others could never be used. */
import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'

export const limitsOfPaymentMethod: Rule = async ({ after, sent, find }) => {
  if (!['market', 'store', 'currency_code'].some((name) => sent.has(name))) return {}
  const { market_id: marketNumber = null, store_id: storeNumber = null, currency_code: currency } = after
  const store = storeNumber === null ? undefined : await find.byNumber('stores', storeNumber, ['market_id'])
  if (store !== undefined && marketNumber !== null && store['market_id'] !== marketNumber)
    return refuse({ at: { relationship: 'store' }, error: 'invalid', message: 'is of another market' })
  const number = marketNumber ?? store?.['market_id'] ?? null
  const market = number === null ? undefined : await find.byNumber('markets', number, ['price_list_id'])
  const list = market && (await find.byNumber('price_lists', market['price_list_id'], ['currency_code']))
  const { currency_code: wanted } = columnsOf('PriceList', list ?? {})
  if (wanted === undefined || typeof currency !== 'string' || wanted === currency) return {}
  const message = `must be ${wanted}, the currency of its market`
  return refuse({ at: { attribute: 'currency_code' }, error: 'invalid', message, value: currency })
}

const refuse = (violation: WriteViolation) => ({ violations: [violation] })
