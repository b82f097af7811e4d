/** A shop whose market asks one service for everything: prices, shipping costs, taxes and validations. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo } from './order-calls.ts'
import type { Body } from './order-calls.ts'

/** Market 1 and shipping method 1; the base price of shipping is 5. Returns the id of the tax calculator. */
export const connectServices = async (core: TestCore, url: string): Promise<string> => {
  const write = async (method: string, type: string, id: string | undefined, data: Body) =>
    singleOf(
      await core.send(method, `/api/${type}${id === undefined ? '' : `/${id}`}`, core.tokens.admin, {
        data: { type, ...(id === undefined ? {} : { id }), ...data },
      }),
    ).data.id
  const attributes = { name: 'Own', tax_calculator_url: url }
  const calculator = await write('POST', 'external_tax_calculators', undefined, { attributes })
  await write('PATCH', 'markets', encodeId('markets', 1), {
    attributes: { external_prices_url: url, external_order_validation_url: url },
    relationships: { tax_calculator: linkTo('external_tax_calculators', calculator) },
  })
  await write('PATCH', 'shipping_methods', encodeId('shipping_methods', 1), {
    attributes: { scheme: 'external', external_prices_url: url, price_amount_cents: 500 },
  })
  await core.pool.query('UPDATE price_lists SET tax_included = false')
  return calculator
}
