/** A shop whose market asks one service for everything: prices, shipping costs, taxes and validations. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo } from './order-calls.ts'
import type { Body } from './order-calls.ts'

/**
 * Market 1 and shipping method 1; the base price of shipping is 5. Returns the id of the tax calculator.
 * @param only the path of the one service that is connected; all have this address otherwise
 */
export const connectServices = async (core: TestCore, base: string, only?: string): Promise<string> => {
  const at = (path: string) => (only === undefined ? base : only === path ? `${base}${path}` : null)
  const write = async (method: string, type: string, id: string | undefined, data: Body) =>
    singleOf(
      await core.send(method, `/api/${type}${id === undefined ? '' : `/${id}`}`, core.tokens.admin, {
        data: { type, ...(id === undefined ? {} : { id }), ...data },
      }),
    ).data.id
  const attributes = { name: 'Own', tax_calculator_url: at('/taxes') ?? base }
  const calculator = await write('POST', 'external_tax_calculators', undefined, { attributes })
  await write('PATCH', 'markets', encodeId('markets', 1), {
    attributes: { external_prices_url: at('/prices'), external_order_validation_url: at('/validation') },
    ...(at('/taxes') === null
      ? {}
      : { relationships: { tax_calculator: linkTo('external_tax_calculators', calculator) } }),
  })
  const shipping = at('/shipping')
  if (shipping !== null)
    await write('PATCH', 'shipping_methods', encodeId('shipping_methods', 1), {
      attributes: { scheme: 'external', external_prices_url: shipping, price_amount_cents: 500 },
    })
  await core.pool.query('UPDATE price_lists SET tax_included = false')
  return calculator
}
