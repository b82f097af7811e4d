/** Orders by the thousand: drawn in the order they were made, copied in one transaction a batch. */
import type { Pool, PoolClient } from 'pg'
import { copyRows, reserveIds } from '../src/engine/database/bulk-load.ts'
import { instantsOfDay, ordersPerDay } from './calendar.ts'
import { createOrderArtist } from './draw-order.ts'
import type { DrawnLine, DrawnOrder } from './drawn-order.ts'
import { copyReturns } from './load-returns.ts'
import { copyDetails } from './order-details.ts'
import { lineColumns, orderColumns, shipmentColumns, toRow } from './order-rows.ts'
import type { Columns, NumberedLine, NumberedOrder, NumberedShipment } from './order-rows.ts'
import type { Random } from './random.ts'
import type { Shop } from './read-shop.ts'

export interface OrdersTarget {
  readonly pool: Pool
  readonly environmentId: number
  readonly shop: Shop
  readonly random: Random
  readonly now: Date
  readonly orders: number
  /** How many of them an interrupted load has stored: the first ones. */
  readonly stored: number
  /** Called after each batch with how many orders it had. */
  readonly onBatch: (orders: number) => void
}

const BATCH = 4_000

/** Batches under way at once: PostgreSQL works on one while this process draws and encodes the other. */
const PARALLEL = 2

/** Each batch is one transaction that also moves the count in the environment, so that a later run goes on from there. */
export const loadOrders = async (target: OrdersTarget): Promise<void> => {
  const batches = toBatches(target)
  let isStored: Promise<unknown> = Promise.resolve()
  const work = async (): Promise<void> => {
    for (const batch of batches) {
      const loaded = loadBatch(target, batch, isStored)
      isStored = loaded
      await loaded
      target.onBatch(batch.length)
    }
  }
  const results = await Promise.allSettled(Array.from({ length: PARALLEL }, work))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** @param before the batch before: what is stored when a load is interrupted has no gap. */
const loadBatch = async (
  { pool, environmentId }: OrdersTarget,
  batch: readonly DrawnOrder[],
  before: Promise<unknown>,
): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await copyBatch(client, environmentId, batch)
    await before
    await client.query(
      `UPDATE environments SET metadata = jsonb_set(metadata, '{demo,orders}',
         to_jsonb(coalesce((metadata #>> '{demo,orders}')::bigint, 0) + $2)) WHERE id = $1`,
      [environmentId, batch.length],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

function* toBatches({ shop, random, now, orders, stored }: OrdersTarget): Generator<readonly DrawnOrder[]> {
  const regulars = shop.markets.flatMap(({ buyers }) =>
    buyers.filter((buyer) => buyer.total_orders_count > 0),
  )
  const knownBuyers = new Set(regulars.map(({ id }) => id))
  const artist = createOrderArtist({ shop, random, now, knownBuyers })
  let batch: DrawnOrder[] = []
  let toSkip = stored
  for (const { day, orders: planned } of ordersPerDay(orders, now)) {
    const skipped = Math.min(planned, toSkip)
    toSkip -= skipped
    for (const instant of instantsOfDay(random, day, planned - skipped, now)) {
      batch.push(artist.draw(instant))
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

const copyBatch = async (
  client: PoolClient,
  environmentId: number,
  batch: readonly DrawnOrder[],
): Promise<void> => {
  const orders = await numberOrders(client, environmentId, batch)
  const lines = await numberLines(client, orders)
  await copyAll(client, 'orders', orderColumns, orders)
  const shipments = orders.flatMap(({ id, number, order, shipmentId }): readonly NumberedShipment[] =>
    shipmentId === null ? [] : [{ environmentId, id: shipmentId, orderId: id, number, order }],
  )
  await copyAll(client, 'shipments', shipmentColumns, shipments)
  await copyAll(client, 'line_items', lineColumns, lines)
  await copyDetails(client, orders, lines)
  await copyReturns(client, orders, lines)
}

const copyAll = <T>(
  client: PoolClient,
  table: string,
  columns: Columns<T>,
  sources: readonly T[],
): Promise<void> => copyRows(client, table, Object.keys(columns), sources.map(toRow(columns)))

const numberOrders = async (
  client: PoolClient,
  environmentId: number,
  batch: readonly DrawnOrder[],
): Promise<readonly NumberedOrder[]> => {
  const ids = await reserveIds(client, 'orders', batch.length)
  const shipmentIds = await reserveIds(
    client,
    'shipments',
    batch.filter(({ shipping }) => shipping !== null).length,
  )
  const { rows } = await client.query<{ numbers: readonly number[] | null }>(
    `SELECT array_agg(next_number('orders', $1)) AS numbers FROM generate_series(1, $2)`,
    [environmentId, batch.length],
  )
  const numbers = rows[0]?.numbers ?? []
  let shipments = 0
  return batch.map((order, index) => ({
    environmentId,
    id: ids[index] ?? 0,
    number: String(numbers[index]),
    order,
    shipmentId: order.shipping === null ? null : (shipmentIds[shipments++] ?? null),
  }))
}

const numberLines = async (
  client: PoolClient,
  orders: readonly NumberedOrder[],
): Promise<readonly NumberedLine[]> => {
  const count = orders.reduce((sum, { order }) => sum + order.lines.length, 0)
  const ids = await reserveIds(client, 'line_items', count)
  let next = 0
  return orders.flatMap((owner) =>
    owner.order.lines.map((line) => ({
      environmentId: owner.environmentId,
      id: ids[next++] ?? 0,
      orderId: owner.id,
      itemId: itemNumber(line, owner),
      line,
      order: owner.order,
    })),
  )
}

const itemNumber = ({ item }: DrawnLine, { order, shipmentId }: NumberedOrder): number | null => {
  if ('offer' in item) return item.offer.id
  if ('id' in item) return item.id
  return item.type === 'shipments' ? shipmentId : (order.paymentMethod?.id ?? null)
}
