/** Many connections to one address, over which requests are sent at once. */
import { Pool } from 'undici'
import { exchange, type LoadAnswer, type LoadRequest } from './exchange.ts'

export interface Connections {
  /** The answer with its body. */
  readonly send: (request: LoadRequest) => Promise<LoadAnswer>
  readonly close: () => Promise<void>
}

/** Requests beyond `count` wait for a connection. */
export const openConnections = (url: string, count: number): Connections => {
  // Whoever waits for a lock on the other side waits, however long it takes.
  const pool = new Pool(url, { connections: count, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
  return { send: (request) => exchange(pool, request, true), close: () => pool.close() }
}
