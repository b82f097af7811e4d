/** The lines in chdb, opened and asked as the metrics service does it, in a table set like its own (services/metrics/tables/orders.sql). */
import { totalmem } from 'node:os'
import { openEngine } from '@merx/metrics/engine/clickhouse-engine'
import { firstValue, type OpenLineEngine, type Values } from './line-engine.ts'

/** Without limits that this comparison could reach; memory as DuckDB has it by default. */
const budget = {
  timeoutMs: 3_600_000,
  memoryBytesMax: Math.round(totalmem() * 0.8),
  groupsMax: 1e9,
  rowsMax: 1e6,
}

/** What is loaded is merged, as the service's table does with a quarter that nothing is written to for a while. */
const MERGE = 'OPTIMIZE TABLE lines FINAL'

const TABLE = `CREATE TABLE lines (
  line_id Int64 CODEC(T64), order_id Int64 CODEC(T64), position Int32 CODEC(T64),
  placed_at DateTime64(3, 'UTC') CODEC(T64),
  market LowCardinality(String), currency LowCardinality(String), country LowCardinality(String),
  status LowCardinality(String), payment_status LowCardinality(String), payment_method LowCardinality(String),
  coupon LowCardinality(Nullable(String)), stock_location LowCardinality(String),
  seconds_to_ship Nullable(Int32) CODEC(T64),
  customer_id Int64 CODEC(T64), customer_email String,
  sku_code LowCardinality(String), sku_name LowCardinality(String),
  category LowCardinality(String), brand LowCardinality(String),
  quantity Int32 CODEC(T64), unit_amount_cents Int32 CODEC(T64), discount_cents Int32 CODEC(T64),
  tax_cents Int32 CODEC(T64), total_amount_cents Int32 CODEC(T64), returned_quantity Int32 CODEC(T64),
  INDEX order_id_filter order_id TYPE bloom_filter(0.01) GRANULARITY 1)
ENGINE = MergeTree
PARTITION BY toYear(placed_at) * 10 + toQuarter(placed_at)
ORDER BY (placed_at, order_id)
SETTINGS min_bytes_for_wide_part = 33554432`

export const openChdb: OpenLineEngine = async (folder) => {
  const engine = openEngine({ path: folder })
  const execute = (text: string): Promise<void> => engine.execute({ text, params: {} })
  const ask = async (sql: string): Promise<readonly Values[]> =>
    (await engine.run({ text: sql, params: {} }, budget)).map((row) => Object.values(row))
  return {
    version: `chdb, ClickHouse ${String(firstValue(await ask('SELECT version() AS version')))}`,
    load: async ({ parquet }) => {
      await execute(TABLE)
      await execute(`INSERT INTO lines SELECT * FROM file('${parquet}', 'Parquet')`)
      await execute(MERGE)
    },
    ask,
    sizeBytes: async () =>
      Number(
        firstValue(
          await ask(`SELECT sum(bytes_on_disk) AS size FROM system.parts WHERE table = 'lines' AND active`),
        ),
      ),
    close: () => engine.close(),
  }
}
