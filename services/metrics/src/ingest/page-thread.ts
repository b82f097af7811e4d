/** A thread that prepares pages: a text comes in, a PreparedPage or the reason why it is none goes out. */
import { parentPort } from 'node:worker_threads'
import { preparePage, type PreparedPage } from './prepare-page.ts'

export type ThreadAnswer = { readonly page: PreparedPage } | { readonly reason: string }

const answerTo = (text: string): ThreadAnswer => {
  try {
    return { page: preparePage(text) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (text: string) => {
  parentPort?.postMessage(answerTo(text))
})
