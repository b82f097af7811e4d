/** Core learns of organizations from auth; the row is what everything else hangs on. */
import type { Queryable } from '../engine/database/database.ts'
import type { EnvironmentRequest } from './request-schemas.ts'

/** Creates or renames the environment; repeating it changes nothing. */
export const putEnvironment = async (database: Queryable, request: EnvironmentRequest): Promise<void> => {
  await database.query(
    `INSERT INTO environments AS known (organization_id, mode, slug, name) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, mode) DO UPDATE SET slug = excluded.slug, name = excluded.name
     WHERE (known.slug, known.name) IS DISTINCT FROM (excluded.slug, excluded.name)`,
    [request.organization_id, request.mode, request.slug, request.name],
  )
}
