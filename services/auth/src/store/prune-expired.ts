/** Removes what nobody can use any more, so that tables do not grow for ever. Safe on several replicas at once. */
import { deleteInBatches } from './delete-in-batches.ts'
import type { Database } from './prisma-client.ts'
import { pruneTokenEvents } from './token-event-store.ts'

/** @returns how many rows went. */
export const pruneExpired = async (database: Database, now: Date): Promise<number> => {
  const revocations = await deleteInBatches(
    (limit) => database.$executeRaw`
      DELETE FROM revocations WHERE token_id IN (
        SELECT token_id FROM revocations WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit})`,
  )
  // One that was exchanged for several stays while they live: that they came of the same one tells a replay of them.
  const tokens = await deleteInBatches(
    (limit) => database.$executeRaw`
      DELETE FROM refresh_tokens WHERE id IN (
        SELECT id FROM refresh_tokens token
        WHERE expires_at <= ${now} AND access_expires_at <= ${now} AND NOT EXISTS (
          SELECT FROM refresh_tokens successor WHERE successor.parent_id = token.id
          HAVING count(*) > 1 AND max(successor.expires_at) > ${now})
        ORDER BY expires_at LIMIT ${limit})`,
  )
  // A family begins together with its first token, in one transaction, so one without tokens is over.
  const families = await deleteInBatches(
    (limit) => database.$executeRaw`
      DELETE FROM refresh_families WHERE id IN (
        SELECT f.id FROM refresh_families f
        WHERE NOT EXISTS (SELECT 1 FROM refresh_tokens t WHERE t.family_id = f.id) LIMIT ${limit})`,
  )
  const changes = await deleteInBatches(
    (limit) => database.$executeRaw`
      DELETE FROM access_changes WHERE (subject_type, subject_id) IN (
        SELECT subject_type, subject_id FROM access_changes WHERE expires_at <= ${now} LIMIT ${limit})`,
  )
  const keys = await database.$executeRaw`DELETE FROM signing_keys WHERE removable_at <= ${now}`
  const withdrawn = await database.$executeRaw`DELETE FROM withdrawn_keys WHERE expires_at <= ${now}`
  const events = await pruneTokenEvents(database, now)
  return events + revocations + tokens + families + changes + keys + withdrawn
}
