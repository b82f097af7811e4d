/**
 * Looks at the version of the access state before anything else is read: every replica asks twice a second, and there is
 * seldom news. Over the pool itself, for the client of Prisma takes ten times as long over so small a question.
 */
import type { Pool } from 'pg'
import type { RevocationReader } from '../tokens/revocation-list.ts'
import { ACCESS_STATE_ROW } from './access-version.ts'

const VERSION = {
  name: 'auth_access_version',
  text: 'SELECT version FROM access_state WHERE id = $1',
  values: [ACCESS_STATE_ROW],
}

export const withVersionCheck = (reader: RevocationReader, pool: Pick<Pool, 'query'>): RevocationReader => ({
  listRevocationsAfter: async (after, at) => {
    const { rows } = await pool.query<{ version: string }>(VERSION)
    const isSame = Number(rows[0]?.version) === after
    return isSame
      ? { version: after, revocations: [], changes: [], withdrawnKeys: [] }
      : reader.listRevocationsAfter(after, at)
  },
})
