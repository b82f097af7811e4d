/**
 * Finds out whether what was read of an environment is still current. The database is asked after the request came, so
 * whatever is cached for the version it returns is what a read would return now, in every replica.
 */
import type { Clock } from '@merx/telemetry/clock'
import { LRUCache } from 'lru-cache'
import type { RunStatement } from '../database/run-statement.ts'

/** One object for as long as nothing changed; another one after a change. Cache by it, weakly or by its number. */
export interface DataVersion {
  /** Unique in the process. */
  readonly number: number
}

/**
 * The current version of an environment. Requests of one turn of the event loop share a query, which is sent at its end;
 * those that come while one is running share the next. Rejects as the statement does.
 */
export type FindDataVersion = (environmentId: number) => Promise<DataVersion>

const LOOK = `SELECT is_unchanged, snapshot FROM kept.look_at_catalogue($1, $2::pg_snapshot)`

/** After a pause this long a new version begins: another server may have taken over, and its transaction ids do not compare. */
const PAUSE_MS = 5_000
const ENVIRONMENTS_MAX = 1_000

interface Environment {
  version: DataVersion
  snapshot: string | null
  checkedAt: number
  running: Promise<unknown> | undefined
  next: Promise<DataVersion> | undefined
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** One per process. */
export const createFindDataVersion = (run: RunStatement, clock: Clock): FindDataVersion => {
  const environments = new LRUCache<number, Environment>({ max: ENVIRONMENTS_MAX })
  let versions = 0
  const nextVersion = (): DataVersion => ({ number: (versions += 1) })

  const check = async (id: number, environment: Environment): Promise<DataVersion> => {
    const now = clock.now().getTime()
    const since = now - environment.checkedAt < PAUSE_MS ? environment.snapshot : null
    const [row] = await run({ text: LOOK, values: [id, since], name: 'look_at_catalogue' })
    if (typeof row?.['snapshot'] !== 'string') throw new TypeError('the catalogue has no snapshot')
    if (row['is_unchanged'] !== true) environment.version = nextVersion()
    Object.assign(environment, { snapshot: row['snapshot'], checkedAt: now })
    return environment.version
  }

  const checkNext = async (id: number, environment: Environment): Promise<DataVersion> => {
    // The callers of the running query receive its error.
    await Promise.allSettled([environment.running])
    await endOfTurn()
    environment.next = undefined
    const checking = check(id, environment)
    environment.running = checking
    return checking
  }

  return (id) => {
    const environment = environments.get(id) ?? {
      version: nextVersion(),
      snapshot: null,
      checkedAt: -Infinity,
      running: undefined,
      next: undefined,
    }
    environments.set(id, environment)
    environment.next ??= checkNext(id, environment)
    return environment.next
  }
}
