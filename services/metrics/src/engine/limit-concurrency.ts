/**
 * Bounds how many reads run at once, so that a burst of queries cannot starve the ingest. Organizations take turns, and share the
 * waiting room, so that none of them shuts the others out.
 */
import { AppError } from '@merx/errors/app-error'
import type { Engine } from './engine.ts'

export interface ConcurrencyOptions {
  /** Reads running at once. */
  readonly runningMax: number
  /** Reads waiting for their turn. */
  readonly waitingMax: number
}

export interface LimitedEngine {
  /** The engine as one organization uses it. Throws AppError `metrics_too_busy` when too many reads of it wait. */
  forOrganization(organizationId: string): Engine
}

interface Waiting {
  readonly proceed: () => void
  readonly refuse: (reason: Error) => void
}

/** Reads of an organization wait in order of arrival. The organization that had its turn longest ago is first. */
type Queues = Map<string, Waiting[]>

const remove = (queues: Queues, id: string, waiting: Waiting): void => {
  const queue = queues.get(id)?.filter((other) => other !== waiting) ?? []
  if (queue.length === 0) queues.delete(id)
  else queues.set(id, queue)
}

/** Takes the next read, and puts its organization at the end. */
const takeNext = (queues: Queues): Waiting | undefined => {
  const [first] = queues
  if (first === undefined) return undefined
  const [id, [next, ...rest]] = first
  queues.delete(id)
  if (rest.length > 0) queues.set(id, rest)
  return next
}

/** Makes room in a full waiting room: the organization with most reads gives up its newest one, unless that is the same as `id`. */
const makeRoom = (queues: Queues, id: string): boolean => {
  const own = queues.get(id)?.length ?? 0
  const [longest] = [...queues].toSorted(([, left], [, right]) => right.length - left.length)
  if (longest === undefined || longest[1].length <= own + 1) return false
  const newest = longest[1].at(-1)
  if (newest === undefined) return false
  newest.refuse(new AppError('metrics_too_busy'))
  remove(queues, longest[0], newest)
  return true
}

/** A read whose signal aborts leaves the queue. Writes are not counted. */
export const limitConcurrency = (engine: Engine, options: ConcurrencyOptions): LimitedEngine => {
  let running = 0
  const queues: Queues = new Map()
  const waitingCount = (): number => [...queues.values()].reduce((sum, { length }) => sum + length, 0)

  const enter = async (id: string, signal: AbortSignal | undefined): Promise<void> => {
    if (running < options.runningMax) {
      running += 1
      return
    }
    if (waitingCount() >= options.waitingMax && !makeRoom(queues, id)) throw new AppError('metrics_too_busy')
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const waiting: Waiting = { proceed: () => resolve(undefined), refuse: reject }
    const leave = (): void => {
      remove(queues, id, waiting)
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    queues.set(id, [...(queues.get(id) ?? []), waiting])
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Hands the place over to the next read, or frees it. */
  const exit = (): void => {
    const next = takeNext(queues)
    if (next === undefined) running -= 1
    else next.proceed()
  }

  const inTurn = async <T>(
    id: string,
    signal: AbortSignal | undefined,
    read: () => Promise<T>,
  ): Promise<T> => {
    signal?.throwIfAborted()
    await enter(id, signal)
    try {
      return await read()
    } finally {
      exit()
    }
  }

  return {
    forOrganization: (id) => ({
      ...engine,
      run: (statement, budget, signal) => inTurn(id, signal, () => engine.run(statement, budget, signal)),
      runCounted: (statement, budget, signal) =>
        inTurn(id, signal, () => engine.runCounted(statement, budget, signal)),
    }),
  }
}
