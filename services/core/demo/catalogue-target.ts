/** What every part of the demo's catalogue is stored with. */
import type { PoolClient } from 'pg'
import { copyKeyed } from './copy-records.ts'
import type { CopyRecord } from './copy-records.ts'
import type { Random } from './random.ts'

export interface CatalogueTarget {
  readonly client: PoolClient
  readonly environmentId: number
  readonly random: Random
  /** When the shop opened. */
  readonly openedAt: Date
  readonly skus: number
}

/** Row numbers by the blueprint's codes. */
export type Numbers = ReadonlyMap<string, number>

/** `copyKeyed` with the dates every record of the opening day has. */
export const keyed =
  ({ client, environmentId, openedAt }: CatalogueTarget) =>
  (table: string, records: readonly (readonly [string, CopyRecord])[]): Promise<Numbers> =>
    copyKeyed(
      client,
      table,
      environmentId,
      records.map(
        ([key, record]) => [key, { ...record, created_at: openedAt, updated_at: openedAt }] as const,
      ),
    )
