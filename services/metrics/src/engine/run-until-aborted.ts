/**
 * Runs a query until its caller disconnects, and then kills it by its query id. The client's own signal only stops the
 * waiting: in the embedded engine the query would continue and use what others need.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Abortable<T> {
  readonly work: Promise<T>
  /** Asks the engine to end the work; harmless when it has not begun or has ended. */
  readonly kill: () => Promise<void>
  readonly signal: AbortSignal
}

/** How soon to kill again: work that waited for its turn may have begun only now. */
const AGAIN_MS = 50

/** Settles when the work does, so that whoever counts what runs counts right. Throws the reason of the signal once it aborted. */
export const runUntilAborted = async <T>({ work, kill, signal }: Abortable<T>): Promise<T> => {
  let isOver = false
  const settled = work.finally(() => {
    isOver = true
  })
  settled.catch(() => undefined) // thrown below; this is for the time until then
  const aborted = Promise.withResolvers<undefined>()
  const onAbort = (): void => {
    aborted.resolve(undefined)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([settled, aborted.promise])
    while (signal.aborted && !isOver) {
      await kill()
      await Promise.race([settled, sleep(AGAIN_MS)])
    }
    return await settled
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
