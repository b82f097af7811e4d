/** The connections of a server, and the responses under way on each. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface OpenConnections {
  /** From now on the response is under way, until it closes. */
  begin(response: ServerResponse): void
  /** Whether a part of an answer was already sent, or is about to be, on this connection. */
  readonly isAnswering: (socket: Duplex) => boolean
  /** The last response under way on each connection: those before it in a pipeline must not end the connection. */
  lastResponses(): readonly ServerResponse[]
  /** Ends those on which nothing was ever received: clients open them ahead, and Node does not count them as idle. */
  endUnused(): void
}

const NONE: readonly ServerResponse[] = []

/**
 * A table by connection, which changes seldom, and not a Set of responses: V8 replaces the table of a Set after so many
 * additions and deletions, and each old table points to the next. Once one of them is in the old generation, all that
 * the later ones held is carried there too, request by request, until it is collected as a whole: 7 KB a request, which
 * cost auth a pause of 8 ms every quarter of a second (docs/adr/0055-no-tables-that-turn-over.md).
 */
export const trackConnections = (server: Server): OpenConnections => {
  const underWay = new Map<Duplex, readonly ServerResponse[]>()
  const unused = new Set<Socket>()

  server.on('connection', (socket: Socket) => {
    underWay.set(socket, NONE)
    unused.add(socket)
    socket.once('close', () => {
      underWay.delete(socket)
      unused.delete(socket)
    })
  })

  const of = (socket: Duplex): readonly ServerResponse[] => underWay.get(socket) ?? NONE

  const end = function (this: ServerResponse): void {
    const { socket } = this.req
    if (!underWay.has(socket)) return // closed before
    const left = of(socket).filter((response) => response !== this)
    underWay.set(socket, left.length === 0 ? NONE : left)
  }

  return {
    begin: (response) => {
      const { socket } = response.req
      unused.delete(socket)
      const before = of(socket)
      underWay.set(socket, before.length === 0 ? [response] : [...before, response])
      response.on('close', end)
    },
    isAnswering: (socket) => of(socket).some((response) => response.headersSent),
    lastResponses: () => [...underWay.values()].flatMap((responses) => responses.at(-1) ?? []),
    endUnused: () => {
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
