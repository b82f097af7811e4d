/** What queries see of orders, against the documents they are from. */
import type { OrderDocument } from '@merx/order-feed/order-document'
import type { Engine } from '../../src/engine/engine.ts'

const budget = { timeoutMs: 30_000, memoryBytesMax: 2e9, groupsMax: 1e6, rowsMax: 1_000_000 }

/** `<mode> <id>` → `<version> <total>`. */
export const storedOrders = async (engine: Engine): Promise<ReadonlyMap<string, string>> => {
  const text = 'SELECT id, mode, version, total_amount FROM orders FINAL ORDER BY id'
  const rows = await engine.run({ text, params: {} }, budget)
  return new Map(
    rows.map(({ mode, id, version, total_amount: total }) => [
      [mode, id].map(String).join(' '),
      [version, total].map(String).join(' '),
    ]),
  )
}

export const expectedOrders = (documents: Iterable<OrderDocument>): ReadonlyMap<string, string> =>
  new Map(
    [...documents]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ mode, id, version, amounts, minor_unit_digits: digits }) => [
        `${mode} ${id}`,
        `${version} ${String(amounts.total / 10 ** digits)}`,
      ]),
  )

/** A later state of an order, with another total. */
export const changedOrder = (document: OrderDocument, version: number): OrderDocument => ({
  ...document,
  version,
  amounts: { ...document.amounts, total: document.amounts.total + version },
})
