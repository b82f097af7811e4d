/** The connections of a server, and the unfinished responses on each. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface OpenConnections {
  /** Records the response until it closes. */
  begin(response: ServerResponse): void
  /** Whether a part of an answer was already sent on this connection. */
  readonly isAnswering: (socket: Duplex) => boolean
  /** The last unfinished response on each connection: those before it in a pipeline must not end the connection. */
  lastResponses(): readonly ServerResponse[]
  /** Closes connections that never received a byte: clients open them in advance, and Node does not count them as idle. */
  endUnused(): void
}

const NONE: readonly ServerResponse[] = []

/** Responses by connection, because requests of a pipeline share one: only its last response may end the connection. */
export const trackConnections = (server: Server): OpenConnections => {
  const unfinished = new Map<Duplex, readonly ServerResponse[]>()
  const unused = new Set<Socket>()

  server.on('connection', (socket: Socket) => {
    unfinished.set(socket, NONE)
    unused.add(socket)
    socket.once('close', () => {
      unfinished.delete(socket)
      unused.delete(socket)
    })
  })

  const of = (socket: Duplex): readonly ServerResponse[] => unfinished.get(socket) ?? NONE

  const end = function (this: ServerResponse): void {
    const { socket } = this.req
    if (!unfinished.has(socket)) return // closed before
    const left = of(socket).filter((response) => response !== this)
    unfinished.set(socket, left.length === 0 ? NONE : left)
  }

  return {
    begin: (response) => {
      const { socket } = response.req
      unused.delete(socket)
      const before = of(socket)
      unfinished.set(socket, before.length === 0 ? [response] : [...before, response])
      response.on('close', end)
    },
    isAnswering: (socket) => of(socket).some((response) => response.headersSent),
    lastResponses: () => [...unfinished.values()].flatMap((responses) => responses.at(-1) ?? []),
    endUnused: () => {
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
