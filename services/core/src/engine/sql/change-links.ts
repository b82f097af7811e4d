/** Statements that change a set stored in a table between two types. */
import type { SetChange } from '@merx/jsonapi/write-request'
import { identifier } from './identifiers.ts'
import type { Statement } from './params.ts'

/** The set of one record. */
export interface LinkSet {
  readonly through: { readonly table: string; readonly from: string; readonly to: string }
  readonly environmentId: number
  /** Of the record. */
  readonly number: number
}

export const changeLinks = (
  set: LinkSet,
  change: SetChange,
  targets: readonly number[],
): readonly Statement[] => {
  switch (change) {
    case 'add':
      return [addLinks(set, targets)]
    case 'remove':
      return [removeLinks(set, targets, 'named')]
    case 'replace':
      return [removeLinks(set, targets, 'others'), addLinks(set, targets)]
  }
}

const removeLinks = (
  { through, environmentId, number }: LinkSet,
  targets: readonly number[],
  which: 'named' | 'others',
): Statement => {
  const [from, to] = [identifier(through.from), identifier(through.to)]
  const named = `${to} = ANY($3::bigint[])`
  return {
    text: `DELETE FROM ${identifier(through.table)}
      WHERE environment_id = $1 AND ${from} = $2 AND ${which === 'named' ? named : `NOT ${named}`}`,
    values: [environmentId, number, targets],
  }
}

const addLinks = ({ through, environmentId, number }: LinkSet, targets: readonly number[]): Statement => {
  const table = identifier(through.table)
  const [from, to] = [identifier(through.from), identifier(through.to)]
  return {
    text: `INSERT INTO ${table} (environment_id, ${from}, ${to})
      SELECT $1, $2, target FROM unnest($3::bigint[]) AS target
      WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE environment_id = $1 AND ${from} = $2 AND ${to} = target)`,
    values: [environmentId, number, targets],
  }
}
