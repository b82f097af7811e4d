/** A connection to an HTTP server of Node that is two ends in memory (https://nodejs.org/api/http.html#event-connection). */
import type { Server } from 'node:http'
import { duplexPair } from 'node:stream'
import type { Duplex } from 'node:stream'

/** What Node's HTTP asks of a socket, and memory does not need. */
const asSocket = (end: Duplex): Duplex => {
  const unchanged = (): Duplex => end
  return Object.assign(end, {
    remoteAddress: '127.0.0.1',
    setTimeout: unchanged,
    setNoDelay: unchanged,
    setKeepAlive: unchanged,
    ref: unchanged,
    unref: unchanged,
  })
}

/** The client's end. */
export const connectInMemory = (server: Server): Duplex => {
  const [client, served] = duplexPair()
  server.emit('connection', asSocket(served))
  return asSocket(client)
}
