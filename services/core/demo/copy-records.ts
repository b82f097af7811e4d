/** Objects → rows of a table of one environment, numbered beforehand so that others can refer to them. */
import type { PoolClient } from 'pg'
import { copyRows, reserveIds } from '../src/engine/database/bulk-load.ts'
import type { CopyValue } from '../src/engine/database/bulk-load.ts'

export type CopyRecord = Readonly<Record<string, CopyValue>>

/** All records must have the same keys, which are columns. Gives their numbers, in the same order. */
export const copyRecords = async (
  client: PoolClient,
  table: string,
  environmentId: number,
  records: readonly CopyRecord[],
): Promise<readonly number[]> => {
  const ids = await reserveIds(client, table, records.length)
  const names = Object.keys(records[0] ?? {})
  await copyRows(
    client,
    table,
    ['id', 'environment_id', ...names],
    records.map((record, index) => [ids[index], environmentId, ...names.map((name) => record[name])]),
  )
  return ids
}

/** The number of the record with this key; a demo that names what it does not have is a mistake of ours. */
export const numberOf = (numbers: ReadonlyMap<string, number>, key: string): number => {
  const number = numbers.get(key)
  if (number === undefined) throw new Error(`the demo has no ${key}`)
  return number
}

/** Stores records under keys of the demo and gives key → number. */
export const copyKeyed = async (
  client: PoolClient,
  table: string,
  environmentId: number,
  records: readonly (readonly [key: string, record: CopyRecord])[],
): Promise<ReadonlyMap<string, number>> => {
  const ids = await copyRecords(
    client,
    table,
    environmentId,
    records.map(([, record]) => record),
  )
  return new Map(records.map(([key], index) => [key, ids[index] ?? 0]))
}
