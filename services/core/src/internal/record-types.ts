/** Internal endpoint for auth: which types of records an organization has, before it is deleted. */
import type { Registry } from '@merx/jsonapi/registry'
import type { Queryable } from '../engine/database/database.ts'
import { identifier } from '../engine/sql/identifiers.ts'

/**
 * Tables of the types that clients create, where either environment of the organization has rows. Logs are left out:
 * nobody deletes those, and they mean nothing without what they tell of.
 */
export const listRecordTypes = async (
  database: Queryable,
  registry: Pick<Registry, 'definitions'>,
  organizationId: string,
): Promise<readonly string[]> => {
  const created = registry.definitions.filter(({ operations }) => operations.includes('create'))
  const tables = [...new Set(created.map(({ table }) => table))].toSorted()
  const among = '(SELECT id FROM environments WHERE organization_id = $1)'
  const questions = tables.map(
    (table, at) =>
      `SELECT ${at} AS at WHERE EXISTS (SELECT 1 FROM ${identifier(table)} WHERE environment_id IN ${among})`,
  )
  const rows = await database.query<{ at: number }>(questions.join(' UNION ALL '), [organizationId])
  return rows.map(({ at }) => tables[at] ?? '').toSorted()
}
