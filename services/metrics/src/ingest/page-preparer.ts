/**
 * Prepares pages without blocking queries: a small page on the main thread, a large one in a worker thread, which starts with
 * the first such page and ends with `close`. Pages are prepared in the order in which they are given.
 */
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer } from './page-thread.ts'
import { preparePage, type PreparedPage } from './prepare-page.ts'

export interface PagePreparer {
  /** The bytes of a large page move to the thread and are empty here afterwards. Throws an Error for an invalid page. */
  prepare(bytes: Uint8Array<ArrayBuffer>): Promise<PreparedPage>
  close(): Promise<void>
}

/** About ten documents, one millisecond: less than a message to a thread takes. */
const SMALL_LENGTH_MAX = 50_000

interface Waiting {
  readonly resolve: (page: PreparedPage) => void
  readonly reject: (error: Error) => void
}

/** The thread answers in the order of its messages. */
const startThread = () => {
  const worker = new Worker(new URL('./page-thread.ts', import.meta.url))
  const waiting: Waiting[] = []
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  worker.on('message', (answer: ThreadAnswer) => {
    const oldest = waiting.shift()
    if ('page' in answer) oldest?.resolve(answer.page)
    else oldest?.reject(new Error(answer.reason))
  })
  worker.on('error', (error: Error) => failAll(error))
  worker.on('exit', () => failAll(new Error('the thread that prepares pages has ended')))
  worker.unref()
  return {
    prepare: (bytes: Uint8Array<ArrayBuffer>): Promise<PreparedPage> => {
      const { promise, resolve, reject } = Promise.withResolvers<PreparedPage>()
      waiting.push({ resolve, reject })
      worker.postMessage(bytes, [bytes.buffer])
      return promise
    },
    ended: new Promise<void>((resolve) => worker.once('exit', () => resolve())),
    end: () => worker.terminate(),
  }
}

export const createPagePreparer = (): PagePreparer => {
  let thread: ReturnType<typeof startThread> | undefined

  const requireThread = () => {
    if (thread !== undefined) return thread
    const started = startThread()
    thread = started
    // One that died, out of memory for example, is replaced at the next page.
    void started.ended.then(() => {
      if (thread === started) thread = undefined
    })
    return started
  }

  return {
    prepare: async (bytes) => {
      if (bytes.length <= SMALL_LENGTH_MAX) return preparePage(new TextDecoder().decode(bytes))
      return requireThread().prepare(bytes)
    },
    close: async () => {
      await thread?.end()
    },
  }
}
