/** What a method costs for the shipment through which it was read. The read adds the amount to the row of the method. */
import type { Row } from '@merx/jsonapi/attributes'
import { formatMoney, toUnits } from '@merx/jsonapi/money'

/** No column of the table: only available_shipping_methods of a shipment fills it in. */
export const PRICE_FOR_SHIPMENT = '_price_for_shipment'

export interface PriceForShipment {
  readonly cents: number | null
  readonly float: number | null
  readonly formatted: string | null
}

export const priceForShipment = (method: Row): PriceForShipment => {
  const cents = method[PRICE_FOR_SHIPMENT]
  const currency = method['currency_code']
  if (typeof cents !== 'number' || typeof currency !== 'string')
    return { cents: null, float: null, formatted: null }
  return { cents, float: toUnits(cents, currency), formatted: formatMoney(cents, currency) }
}
