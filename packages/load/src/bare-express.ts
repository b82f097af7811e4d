/** The reference of most comparisons: an Express application that does nothing but answer the same bytes. */
import { Client } from 'undici'
import { exchange, type LoadAnswer, type LoadRequest } from './exchange.ts'
import { startTarget, type Target } from './target.ts'

/** What the program answers. Headers are those of the original, except what Node writes itself. */
export interface RecordedAnswer {
  readonly method: LoadRequest['method']
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Written by Node's server for each response, so not repeated. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length'])

/** @throws Error when the answer is no 2xx. */
export const toRecorded = (
  { method, path }: LoadRequest,
  { status, headers, body = '' }: LoadAnswer,
): RecordedAnswer => {
  if (status < 200 || status > 299)
    throw new Error(`${method} ${path} answers ${status}: ${body.slice(0, 300)}`)
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name))
  return {
    method,
    path: path.split('?', 1)[0] ?? '/',
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body,
  }
}

/** @throws Error when the answer is no 2xx. */
export const recordAnswer = async (url: string, request: LoadRequest): Promise<RecordedAnswer> => {
  const client = new Client(url)
  try {
    return toRecorded(request, await exchange(client, request, true))
  } finally {
    await client.close()
  }
}

/**
 * A bare Express application that answers each of the recorded requests with the recorded bytes. It does not even read
 * the body of a request, so nothing that has to can be faster.
 *
 * @example const bare = await startBareExpress([await recordAnswer(target.url, request)])
 */
export const startBareExpress = (answers: readonly RecordedAnswer[]): Promise<Target> =>
  startTarget({
    name: 'bare Express',
    program: new URL('./bare-express-program.ts', import.meta.url),
    input: answers,
  })
