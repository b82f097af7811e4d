import { identifier } from './identifiers.ts'
import type { Statement } from './params.ts'

/** The links of a set stored in a table between two types. */
export const replaceLinks = (
  through: { readonly table: string; readonly from: string; readonly to: string },
  environmentId: number,
  number: number,
  targets: readonly number[],
): readonly Statement[] => {
  const table = identifier(through.table)
  const [from, to] = [identifier(through.from), identifier(through.to)]
  const clear = {
    text: `DELETE FROM ${table} WHERE environment_id = $1 AND ${from} = $2 AND NOT ${to} = ANY($3::bigint[])`,
    values: [environmentId, number, targets],
  }
  const fill = {
    text: `INSERT INTO ${table} (environment_id, ${from}, ${to})
      SELECT $1, $2, target FROM unnest($3::bigint[]) AS target
      WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE environment_id = $1 AND ${from} = $2 AND ${to} = target)`,
    values: [environmentId, number, targets],
  }
  return [clear, fill]
}
