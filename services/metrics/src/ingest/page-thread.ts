/** A thread that prepares pages: a text comes in, a page or the reason why it is none goes out. */
import { parentPort } from 'node:worker_threads'
import { isBlocks, prepareBlocks, type Blocks } from './prepare-blocks.ts'
import { preparePage, type PreparedPage } from './prepare-page.ts'

export interface ThreadQuestion {
  readonly text: string
  readonly as: 'blocks' | 'lines'
}

export type ThreadAnswer = { readonly page: PreparedPage | Blocks } | { readonly reason: string }

const answerTo = ({ text, as }: ThreadQuestion): ThreadAnswer => {
  try {
    return { page: as === 'blocks' ? prepareBlocks(text) : preparePage(text) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Blocks are handed over, not copied. */
const buffersOf = (answer: ThreadAnswer): ArrayBuffer[] => {
  if (!('page' in answer) || !isBlocks(answer.page)) return []
  const { orders, returns } = answer.page
  return returns === undefined ? [orders.buffer] : [orders.buffer, returns.buffer]
}

parentPort?.on('message', (question: ThreadQuestion) => {
  const answer = answerTo(question)
  parentPort?.postMessage(answer, buffersOf(answer))
})
