/** One HTTP request over node:http, because `fetch` cannot choose the source address and hides some headers. */
import { request as openRequest, type IncomingHttpHeaders } from 'node:http'
import { isAddressInHeader } from './source-address.ts'

export interface Outgoing {
  readonly method?: string
  readonly url: string
  /** A header set to undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string | Buffer
  /** Loopback address to connect from. */
  readonly from: string
  readonly timeoutMs?: number
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body parsed; throws with the raw text when it is not JSON. */
  json<T = unknown>(): T
}

const parse = <T>(text: string, status: number): T => {
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    throw new Error(`the ${status} answer is not JSON: ${text.slice(0, 400)}`, { cause })
  }
}

/** Sends and reads the whole answer. Rejects on a broken connection or after `timeoutMs` (15 s). */
export const send = ({ method = 'GET', url, headers = {}, body, from, timeoutMs = 15_000 }: Outgoing) =>
  new Promise<Reply>((resolve, reject) => {
    const target = new URL(url)
    const sent = Object.entries({
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...(isAddressInHeader() ? { 'X-Forwarded-For': from } : {}),
      ...headers,
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    const outgoing = openRequest(
      {
        method,
        host: target.hostname === 'localhost' ? '127.0.0.1' : target.hostname,
        port: target.port,
        path: url.slice(url.indexOf(target.host) + target.host.length) || '/',
        headers: { Host: target.host, ...Object.fromEntries(sent) },
        agent: false,
        timeout: timeoutMs,
        ...(isAddressInHeader() ? {} : { localAddress: from, family: 4 }),
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const status = incoming.statusCode ?? 0
          resolve({ status, headers: incoming.headers, text, json: () => parse(text, status) })
        })
      },
    )
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`no answer to ${method} ${url} in ${timeoutMs} ms`)),
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
