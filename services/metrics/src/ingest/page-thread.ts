/** A thread that prepares pages: the bytes of one come in, a page or the reason why it is none goes out. */
import { parentPort } from 'node:worker_threads'
import { isBlocks, prepareBlocks, type BlockPage } from './prepare-blocks.ts'
import { preparePage, type PreparedPage } from './prepare-page.ts'

export interface ThreadQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly as: 'blocks' | 'lines'
}

export type ThreadAnswer = { readonly page: PreparedPage | BlockPage } | { readonly reason: string }

const prepare = ({ bytes, as }: ThreadQuestion): PreparedPage | BlockPage => {
  const text = new TextDecoder().decode(bytes)
  if (as === 'lines') return preparePage(text)
  const page = prepareBlocks(text)
  return isBlocks(page) ? { ...page, source: bytes } : page
}

const answerTo = (question: ThreadQuestion): ThreadAnswer => {
  try {
    return { page: prepare(question) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Blocks and bytes are handed over, not copied. */
const buffersOf = (answer: ThreadAnswer): ArrayBuffer[] => {
  if (!('page' in answer) || !isBlocks(answer.page)) return []
  const { orders, returns, source } = answer.page
  return [orders, source, ...(returns === undefined ? [] : [returns])].map(({ buffer }) => buffer)
}

parentPort?.on('message', (question: ThreadQuestion) => {
  const answer = answerTo(question)
  parentPort?.postMessage(answer, buffersOf(answer))
})
