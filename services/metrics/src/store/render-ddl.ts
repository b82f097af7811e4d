/**
 * Definition, layout and generation → statements that create, swap and drop tables. Pure.
 * On one server a table is what its definition says. On a cluster it is two: `<name>_local` on each node, replicated within
 * the shard, and the name itself, which spreads rows over the shards and reads them all
 * (docs/adr/0035-shadow-tables-and-swap.md).
 */
import type { Layout } from './layout.ts'
import { fedDefinitions, type FedTable } from './table-definitions.ts'

/** The comment of a table. */
export interface TableMark {
  /** Raised by one with each rebuild. */
  readonly generation: number
  readonly shape: number
}

/** All versions of an order and all its returns are on one shard: FINAL and deletions see them together. */
const SHARDING: Readonly<Record<FedTable, string>> = {
  orders: 'cityHash64(id)',
  returns: 'cityHash64(order_id)',
}

/** How many inserts back a repeated one is recognised by its token. */
const DEDUPLICATION_WINDOW = 1_000

/** The name under which a generation is built, until its tables are swapped with the live ones. */
export const shadowName = (table: FedTable, generation: number): string => `${table}_g${generation}`

/** The tables with the rows of a generation, on each node of a cluster; they keep this name when they are swapped. */
const localName = (table: FedTable, generation: number): string => `${table}_g${generation}_local`

const onCluster = (layout: Layout): string =>
  layout.kind === 'cluster' ? ` ON CLUSTER '${layout.cluster}'` : ''

const ENGINE = /ENGINE = ReplacingMergeTree\(([^)]*)\)/

/** `CREATE TABLE orders (…) ENGINE = … ORDER BY …` under another name and engine. */
const renamed = (definition: string, head: string, engine: (columns: string) => string): string =>
  definition
    .replace(/^CREATE TABLE \w+/, () => `CREATE TABLE IF NOT EXISTS ${head}`)
    .replace(ENGINE, (_all, columns: string) => `ENGINE = ${engine(columns)}`)

/** A definition may have settings of its own, at its end. */
const withSettings = (definition: string, settings: string): string =>
  `${definition}${/\nSETTINGS /.test(definition) ? ',' : ' SETTINGS'} ${settings}`

/** Rows of another generation are refused: their writer has missed a swap. */
const withGeneration = (definition: string, generation: number): string =>
  definition.replace(
    '(',
    () =>
      `(\n    \`generation\` UInt32 DEFAULT ${generation},\n    CONSTRAINT \`generation\` CHECK \`generation\` = ${generation},`,
  )

const commentOf = ({ generation, shape }: TableMark): string =>
  ` COMMENT '${JSON.stringify({ generation, shape })}'`

/** Undefined for a table that none of ours made, or one from before tables had marks. */
export const readMark = (comment: string): TableMark | undefined => {
  const [, generation, shape] = /^\{"generation":(\d+),"shape":(\d+)\}$/.exec(comment) ?? []
  return generation === undefined ? undefined : { generation: Number(generation), shape: Number(shape) }
}

const replicated = (path: string, columns: string): string =>
  `ReplicatedReplacingMergeTree('/clickhouse/tables/${path}', '{replica}', ${columns})`

/** Creates a table of the feed under `name`, empty, unless it is there. */
export const renderCreateFed = (
  { table, name, mark }: { readonly table: FedTable; readonly name: string; readonly mark: TableMark },
  layout: Layout,
): readonly string[] => {
  const definition = withGeneration(fedDefinitions[table], mark.generation)
  const comment = commentOf(mark)
  if (layout.kind === 'single') {
    const settings = `non_replicated_deduplication_window = ${DEDUPLICATION_WINDOW}`
    const create = renamed(definition, name, (columns) => `ReplacingMergeTree(${columns})`)
    return [withSettings(create, settings) + comment]
  }
  const { cluster } = layout
  const local = localName(table, mark.generation)
  const create = renamed(definition, `${local}${onCluster(layout)}`, (columns) =>
    replicated(`{shard}/{database}/${local}`, columns),
  )
  return [
    create + comment,
    `CREATE TABLE IF NOT EXISTS ${name}${onCluster(layout)} AS ${local} ` +
      `ENGINE = Distributed('${cluster}', currentDatabase(), '${local}', ${SHARDING[table]})${comment}`,
  ]
}

/** Creates a small table that every node has whole. */
export const renderCreateControl = (name: string, definition: string, layout: Layout): string =>
  layout.kind === 'single'
    ? renamed(definition, name, (columns) => `ReplacingMergeTree(${columns})`)
    : renamed(definition, `${name}${onCluster(layout)}`, (columns) =>
        replicated(`all/{database}/${name}`, columns).replace("'{replica}'", "'{shard}-{replica}'"),
      )

/** Puts what was built under the live name, and what was live under the other. */
export const renderSwap = (table: FedTable, generation: number, layout: Layout): string =>
  `EXCHANGE TABLES ${table} AND ${shadowName(table, generation)}${onCluster(layout)}`

/** Puts what was built under the live name, which nothing has yet. */
export const renderFirst = (table: FedTable, generation: number, layout: Layout): string =>
  `RENAME TABLE ${shadowName(table, generation)} TO ${table}${onCluster(layout)}`

const namesOf = (
  { table, name, mark }: { readonly table: FedTable; readonly name: string; readonly mark: TableMark },
  layout: Layout,
): readonly string[] => (layout.kind === 'single' ? [name] : [localName(table, mark.generation), name])

/**
 * Columns that statements read and the engine makes of others where they are read, so that a table from before them needs no
 * writing: it can be read until it is rebuilt.
 */
export const ADDED_COLUMNS = {
  orders: ['environment', 'shown_id', 'population'],
  returns: ['environment', 'shown_id'],
} as const satisfies Record<FedTable, readonly string[]>

/** Gives a table of an earlier shape a column that it lacks. */
export const renderAddColumn = (
  found: { readonly table: FedTable; readonly name: string; readonly mark: TableMark },
  column: (typeof ADDED_COLUMNS)[FedTable][number],
  layout: Layout,
): readonly string[] => {
  const line = fedDefinitions[found.table].split('\n').find((one) => one.trim().startsWith(`\`${column}\` `))
  if (line === undefined) throw new Error(`${found.table}.sql has no column ${column}`)
  return namesOf(found, layout).map(
    (one) =>
      `ALTER TABLE ${one}${onCluster(layout)} ADD COLUMN IF NOT EXISTS ${line.trim().replace(/,$/, '')}`,
  )
}

/**
 * Drops a table and, on a cluster, before it the rows of its generation on each node: the name is what they are found by, also
 * after a crash in between.
 */
export const renderDropFed = (
  found: { readonly table: FedTable; readonly name: string; readonly mark: TableMark },
  layout: Layout,
): readonly string[] =>
  namesOf(found, layout).map((one) => `DROP TABLE IF EXISTS ${one}${onCluster(layout)} SYNC`)
