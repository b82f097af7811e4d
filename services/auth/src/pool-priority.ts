/**
 * Signatures and password hashes are computed on libuv's pool, by more threads than there are processors for them. The
 * event loop, Redis and PostgreSQL, each with work for microseconds, would queue for a turn behind these threads, and with
 * ten requests under way all of them soon wait in such queues while a processor idles. So the pool gives way
 * (docs/adr/0056-the-pool-gives-way.md).
 */
import { readdir, readFile } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'
import process from 'node:process'
import type { Logger } from '@merx/telemetry/logger'

/** What is added to that of the process: leaves the pool a quarter of a processor that the event loop wants, too. */
export const POOL_NICENESS = 5

const THREADS = '/proc/self/task'
/** As libuv names the threads of its pool. */
const POOL_THREAD = 'libuv-worker'

const giveWay = (thread: number): void =>
  setPriority(thread, Math.min(getPriority(thread) + POOL_NICENESS, constants.priority.PRIORITY_LOW))

/**
 * Once in a process, and for good: only root takes niceness back. Linux alone has it for single threads (sched(7));
 * elsewhere nothing happens. Never rejects: where it is forbidden, the log tells, and the service is slower under load.
 */
export const lowerPoolPriority = async (log: Logger): Promise<void> => {
  if (process.platform !== 'linux') return
  try {
    // All threads of the pool begin with the first piece of work, and this is one.
    for (const thread of await readdir(THREADS)) {
      const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8')
      if (name.trimEnd() === POOL_THREAD) giveWay(Number(thread))
    }
  } catch (error) {
    log.warn({ err: error }, 'the threads that sign keep their priority')
  }
}
