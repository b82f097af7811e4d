/**
 * Prepares pages without holding up queries: a small page at once, a large one in a thread, which is started with the first
 * such page and ends with `close`. Pages are prepared in the order in which they are given.
 */
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadQuestion } from './page-thread.ts'
import { isBlocks, type AnyPage } from './prepare-blocks.ts'
import { preparePage, type PreparedPage } from './prepare-page.ts'

/** Bytes of a large page are handed to the thread, and gone here. */
export interface PagePreparer {
  /** Lines. Throws an Error for what is no page. */
  prepare(bytes: Uint8Array<ArrayBuffer>): Promise<PreparedPage>
  /** Blocks for a large page where nothing is unusual, else lines. Throws an Error for what is no page. */
  prepareBulk(bytes: Uint8Array<ArrayBuffer>): Promise<AnyPage>
  close(): Promise<void>
}

/** About ten documents, one millisecond: less than it takes to tell a thread. */
const AT_ONCE_LENGTH_MAX = 50_000

const prepareHere = (bytes: Uint8Array): PreparedPage => preparePage(new TextDecoder().decode(bytes))

interface Waiting {
  readonly resolve: (page: AnyPage) => void
  readonly reject: (error: Error) => void
}

/** The thread answers in the order in which it is asked. */
const startThread = () => {
  const worker = new Worker(new URL('./page-thread.ts', import.meta.url))
  const waiting: Waiting[] = []
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  worker.on('message', (answer: ThreadAnswer) => {
    const asked = waiting.shift()
    if ('page' in answer) asked?.resolve(answer.page)
    else asked?.reject(new Error(answer.reason))
  })
  worker.on('error', (error: Error) => failAll(error))
  worker.on('exit', () => failAll(new Error('the thread that prepares pages has ended')))
  worker.unref()
  return {
    ask: (question: ThreadQuestion): Promise<AnyPage> => {
      const { promise, resolve, reject } = Promise.withResolvers<AnyPage>()
      waiting.push({ resolve, reject })
      worker.postMessage(question, [question.bytes.buffer])
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
      if (bytes.length <= AT_ONCE_LENGTH_MAX) return prepareHere(bytes)
      const page = await requireThread().ask({ bytes, as: 'lines' })
      if (isBlocks(page)) throw new Error('the thread was asked for lines and gave blocks')
      return page
    },
    prepareBulk: async (bytes) => {
      if (bytes.length <= AT_ONCE_LENGTH_MAX) return prepareHere(bytes)
      return requireThread().ask({ bytes, as: 'blocks' })
    },
    close: async () => {
      await thread?.end()
    },
  }
}
