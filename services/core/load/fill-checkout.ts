/** What a shop of fillShop lacks to sell: how it is paid and sent, and stock that does not run out. */
import { Client } from 'pg'

/** Rows that fillCheckout makes. */
export const PAYMENT_METHOD = 1
export const SHIPPING_METHODS = [1, 2] as const

/** Of every SKU in every location where it is. */
const PLENTY = 1_000_000

const CHECKOUT = `
  INSERT INTO payment_gateways (id, environment_id, type, name) VALUES (1, 1, 'manual_gateways', 'Manual');
  INSERT INTO payment_methods (id, environment_id, name, payment_source_type, currency_code, price_amount_cents,
      payment_gateway_id, market_id)
    VALUES (${PAYMENT_METHOD}, 1, 'Bank transfer', 'wire_transfers', 'EUR', 0, 1, 1);
  INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents, free_over_amount_cents)
    VALUES (${SHIPPING_METHODS[0]}, 1, 'Post', 'EUR', 700, 9900), (${SHIPPING_METHODS[1]}, 1, 'Express', 'EUR', 1200, NULL);
  UPDATE stock_items SET quantity = ${PLENTY} WHERE environment_id = 1;`

/** SKUs that fillShop has put into price list 1 and into stock locations, so that market 1 sells them. */
export const sellableSkus = (skus: number): readonly number[] =>
  Array.from({ length: skus }, (_, at) => at + 1).filter((sku) => sku % 6 !== 0 && sku % 10 !== 7)

export const fillCheckout = async (databaseUrl: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(CHECKOUT)
  } finally {
    await client.end()
  }
}
