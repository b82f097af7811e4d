/** A worker thread that prepares pages: receives the bytes of a page, answers with its rows or the reason why it is invalid. */
import { parentPort } from 'node:worker_threads'
import { preparePage, type PreparedPage } from './prepare-page.ts'

export type ThreadAnswer = { readonly page: PreparedPage } | { readonly reason: string }

const answerTo = (bytes: Uint8Array): ThreadAnswer => {
  try {
    return { page: preparePage(new TextDecoder().decode(bytes)) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(answerTo(bytes)))
