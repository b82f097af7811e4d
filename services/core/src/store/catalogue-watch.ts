/**
 * What was read of an environment's catalogue stays true until something in it changes. Before it is used again the
 * database is asked whether anything did (migration catalogue_changes), by a question that is put after the request
 * came: an answer that is given again is one that the database would have given now.
 */
import type { Caller } from '@merx/access-token/caller'
import type { Clock } from '@merx/telemetry/clock'
import type { RequestScope, ScopeFacts } from '../access/request-scope.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'

/** What was read since the catalogue was looked at and found changed, or for the first time. */
export interface Unchanged {
  /** Of the scopes of tokens, by what they refer to. */
  readonly facts: Map<string, Omit<ScopeFacts, 'environmentId'>>
  /** Made from those facts. */
  readonly scopes: WeakMap<Caller, RequestScope>
  /** What of a page's key follows from the caller (routes/page-key.ts). */
  readonly callerKeys: WeakMap<Caller, string>
  readonly pages: KeptPages
}

/** Bodies of answers; there is a bound on the bytes of all environments together. */
export interface KeptPages {
  find(key: string): Buffer | undefined
  /** Forgets it at once when there is no room. */
  keep(key: string, body: Buffer): void
}

export interface CatalogueWatch {
  /**
   * Requests of one turn of the event loop share a question, which is put at its end, and so do those that come while
   * one is under way: they share the next. What is read after this resolved may be kept in the result. Rejects as the
   * statement does.
   */
  look(environmentId: number): Promise<Unchanged>
}

const LOOK = `SELECT is_unchanged, snapshot FROM kept.look_at_catalogue($1, $2::pg_snapshot)`

/**
 * After a pause this long everything is read anew: transaction ids of another server, which may have taken over in the
 * meantime, do not compare.
 */
const PAUSE_MS = 5_000
const BYTES_MAX = 64 * 1_048_576
/** Environments that are watched; the one watched longest makes room. */
const ENVIRONMENTS_MAX = 1_000

interface Environment {
  kept: Kept
  snapshot: string | null
  lookedAt: number
  running: Promise<unknown> | undefined
  next: Promise<Unchanged> | undefined
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** One per process. */
export const createCatalogueWatch = (
  run: RunStatement,
  clock: Clock,
  bytesMax = BYTES_MAX,
): CatalogueWatch => {
  const room = { bytesLeft: bytesMax }
  const environments = new Map<number, Environment>()

  const ask = async (id: number, environment: Environment): Promise<Unchanged> => {
    const { kept } = environment
    const now = clock.now().getTime()
    const since = now - environment.lookedAt < PAUSE_MS ? environment.snapshot : null
    const [row] = await run({ text: LOOK, values: [id, since], name: 'look_at_catalogue' })
    if (typeof row?.['snapshot'] !== 'string') throw new TypeError('the catalogue has no snapshot')
    if (row['is_unchanged'] !== true) {
      environment.kept.clear()
      environment.kept = createKept(room)
    }
    Object.assign(environment, { snapshot: row['snapshot'], lookedAt: now })
    return row['is_unchanged'] === true ? kept : environment.kept
  }

  /** After the question that is under way, and after everything else that this turn of the event loop asks. */
  const askNext = async (id: number, environment: Environment): Promise<Unchanged> => {
    // How the question before ended is told to those who asked it.
    await Promise.allSettled([environment.running])
    await endOfTurn()
    environment.next = undefined
    const asking = ask(id, environment)
    environment.running = asking
    return asking
  }

  return {
    look: (id) => {
      const environment = environments.get(id) ?? open(environments, id, room)
      environment.next ??= askNext(id, environment)
      return environment.next
    },
  }
}

const open = (environments: Map<number, Environment>, id: number, room: Room): Environment => {
  const [oldest] = environments
  if (oldest !== undefined && environments.size >= ENVIRONMENTS_MAX) {
    environments.delete(oldest[0])
    oldest[1].kept.clear()
  }
  const environment: Environment = {
    kept: createKept(room),
    snapshot: null,
    lookedAt: -Infinity,
    running: undefined,
    next: undefined,
  }
  environments.set(id, environment)
  return environment
}

interface Room {
  bytesLeft: number
}

interface Kept extends Unchanged {
  clear(): void
}

const createKept = (room: Room): Kept => {
  const pages = new Map<string, Buffer>()
  let bytes = 0
  let isCleared = false
  return {
    facts: new Map(),
    scopes: new WeakMap(),
    callerKeys: new WeakMap(),
    pages: {
      find: (key) => pages.get(key),
      keep: (key, body) => {
        const size = body.byteLength + key.length * 2
        if (isCleared || size > room.bytesLeft || pages.has(key)) return
        pages.set(key, body)
        bytes += size
        room.bytesLeft -= size
      },
    },
    clear: () => {
      if (isCleared) return
      isCleared = true
      pages.clear()
      room.bytesLeft += bytes
    },
  }
}
