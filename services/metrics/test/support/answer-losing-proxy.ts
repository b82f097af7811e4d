/**
 * A network between the service and the engine that loses answers: the first attempt of every insert is written, and its
 * connection ends before the answer comes. Attempts are told apart by their deduplication token.
 */
import { createServer, request as ask, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface AnswerLosingProxy {
  readonly url: string
  /** Inserts whose answer was lost. */
  readonly lost: () => number
  close(): Promise<void>
}

export interface ProxyOptions {
  readonly target: string
  /** Gives every attempt another token, as if the service did not send one: the counter-test. */
  readonly forgetsTokens?: boolean
}

/** In the statement, which is the body, or in the address. */
const TOKEN = /insert_deduplication_token(?:\s*=\s*|%20%3D%20|\+%3D\+|%3D|=)(?:'|%27)?([\da-f-]{36})/

const tokenIn = (url: string, body: Buffer): string | undefined =>
  TOKEN.exec(url)?.[1] ?? TOKEN.exec(body.toString('latin1'))?.[1]

const swap = (text: string, token: string, attempt: number): string =>
  text.replaceAll(token, token.slice(0, -8) + String(attempt).padStart(8, '0'))

interface Message {
  readonly incoming: IncomingMessage
  readonly url: string
  readonly body: Buffer
}

const forward = async (target: string, { incoming, url, body }: Message) => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { method = 'GET', headers } = incoming
  const { 'transfer-encoding': _chunked, ...rest } = headers
  const outgoing = ask(
    new URL(url, target),
    { method, headers: { ...rest, 'content-length': body.length } },
    resolve,
  )
  outgoing.once('error', reject)
  outgoing.end(body)
  const answer = await promise
  return { answer, content: await buffer(answer) }
}

export const startAnswerLosingProxy = async ({
  target,
  forgetsTokens = false,
}: ProxyOptions): Promise<AnswerLosingProxy> => {
  const attempts = new Map<string, number>()
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const body = await buffer(incoming)
      const url = incoming.url ?? '/'
      const token = tokenIn(url, body)
      const attempt = token === undefined ? 0 : (attempts.get(token) ?? 0) + 1
      if (token !== undefined) attempts.set(token, attempt)
      const message =
        token !== undefined && forgetsTokens
          ? {
              incoming,
              url: swap(url, token, attempt),
              body: Buffer.from(swap(body.toString('latin1'), token, attempt), 'latin1'),
            }
          : { incoming, url, body }
      const { answer, content } = await forward(target, message)
      if (attempt === 1) {
        incoming.socket.destroy()
        return
      }
      const { 'transfer-encoding': _chunked, ...headers } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 500, { ...headers, 'content-length': content.length })
      outgoing.end(content)
    }
    pass().catch(() => incoming.socket.destroy()) // the engine is unavailable: so is the proxy
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { username, password } = new URL(target)
  const url = new URL(`http://127.0.0.1:${port}`)
  Object.assign(url, { username, password })
  return {
    url: url.href,
    lost: () => attempts.size,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
