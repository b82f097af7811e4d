import {
  readMark,
  renderAddColumn,
  renderCreateControl,
  renderCreateFed,
  renderDropFed,
  renderSwap,
} from './render-ddl.ts'
import { controlTables } from './table-definitions.ts'

const mark = { generation: 3, shape: 7 }
const single = { kind: 'single' } as const
const cluster = { kind: 'cluster', cluster: 'merx' } as const

describe('tables on one server', () => {
  it('are as defined, under the name that is wanted, and refuse rows of other generations', () => {
    const [create, ...more] = renderCreateFed({ table: 'orders', name: 'orders_g3', mark }, single)
    expect(more).toEqual([])
    expect(create).toMatch(/^CREATE TABLE IF NOT EXISTS orders_g3\n\(\n {4}`generation` UInt32 DEFAULT 3,/)
    expect(create).toContain('CONSTRAINT `generation` CHECK `generation` = 3')
    expect(create).toContain(
      'ENGINE = ReplacingMergeTree(version, is_deleted)\nPARTITION BY toYear(created_at) * 10 + toQuarter(created_at)\nORDER BY (environment,',
    )
    expect(create).toMatch(/ COMMENT '\{"generation":3,"shape":7\}'$/)
  })

  it('are swapped and dropped under the names of their generation', () => {
    expect(renderSwap('returns', 3, single)).toBe('EXCHANGE TABLES returns AND returns_g3')
    expect(renderDropFed({ table: 'orders', name: 'orders_g3', mark }, single)).toEqual([
      'DROP TABLE IF EXISTS orders_g3 SYNC',
    ])
  })
})

describe('settings', () => {
  const settingsOf = (statement = '') => /\sSETTINGS (.*) COMMENT/.exec(statement)?.[1]?.split(', ') ?? []
  const atRest = 'min_age_to_force_merge_seconds = 900'

  it.each([single, cluster])('of a definition are written next to those of the layout: %j', (layout) => {
    const [orders] = renderCreateFed({ table: 'orders', name: 'orders', mark }, layout)
    const [returns] = renderCreateFed({ table: 'returns', name: 'returns', mark }, layout)
    expect(settingsOf(orders)).toContain(atRest)
    expect(settingsOf(orders)).toEqual(expect.arrayContaining([...settingsOf(returns)]))
    expect(settingsOf(returns).length).toBeGreaterThan(0)
    expect(settingsOf(returns)).not.toContain(atRest)
  })
})

describe('tables on a cluster', () => {
  it('are replicated within a shard and spread by the order', () => {
    const [local, spread] = renderCreateFed({ table: 'returns', name: 'returns', mark }, cluster)
    expect(local).toMatch(/^CREATE TABLE IF NOT EXISTS returns_g3_local ON CLUSTER 'merx'\n/)
    expect(local).toContain(
      "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/returns_g3_local', '{replica}', version, is_deleted)",
    )
    expect(spread).toBe(
      "CREATE TABLE IF NOT EXISTS returns ON CLUSTER 'merx' AS returns_g3_local ENGINE = Distributed('merx', currentDatabase(), 'returns_g3_local', cityHash64(order_id)) COMMENT '{\"generation\":3,\"shape\":7}'",
    )
  })

  it('have their control tables whole on every node', () => {
    expect(renderCreateControl('ingest_state', controlTables['ingest_state'] ?? '', cluster)).toContain(
      "ON CLUSTER 'merx'\n(\n    `name` String,\n    `value` String,\n    `version` UInt64\n)\nENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/ingest_state', '{shard}-{replica}', version)",
    )
  })

  it('of an earlier shape get the environment with the rows of their generation', () => {
    const column = "`environment` LowCardinality(String) MATERIALIZED concat(`organization_id`, '/', `mode`)"
    expect(renderAddColumn({ table: 'orders', name: 'orders', mark }, 'environment', cluster)).toEqual([
      `ALTER TABLE orders_g3_local ON CLUSTER 'merx' ADD COLUMN IF NOT EXISTS ${column}`,
      `ALTER TABLE orders ON CLUSTER 'merx' ADD COLUMN IF NOT EXISTS ${column}`,
    ])
    expect(renderAddColumn({ table: 'returns', name: 'returns_g3', mark }, 'environment', single)).toEqual([
      `ALTER TABLE returns_g3 ADD COLUMN IF NOT EXISTS ${column}`,
    ])
  })

  it('get no column that their definition has not', () => {
    const returns = { table: 'returns', name: 'returns', mark } as const
    expect(() => renderAddColumn(returns, 'population', single)).toThrow(
      'returns.sql has no column population',
    )
  })

  it('are dropped after the rows of their generation, which nobody would find without them', () => {
    expect(renderDropFed({ table: 'orders', name: 'orders_g9', mark }, cluster)).toEqual([
      "DROP TABLE IF EXISTS orders_g3_local ON CLUSTER 'merx' SYNC",
      "DROP TABLE IF EXISTS orders_g9 ON CLUSTER 'merx' SYNC",
    ])
  })
})

it('a mark is read as it was written, and nothing else for one', () => {
  expect(readMark('{"generation":3,"shape":7}')).toEqual(mark)
  expect(['', 'orders of the shop', '{"generation":3}'].map(readMark)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
