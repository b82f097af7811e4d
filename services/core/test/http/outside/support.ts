/** Receivers on real sockets that behave in one way each, reached by names of a resolver that the test owns. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

export interface Receiver {
  readonly port: number
  /** Open or opened connections so far. */
  readonly connections: () => number
  close(): Promise<void>
}

const listen = async (server: Server): Promise<Receiver> => {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}

export const openHttpReceiver = (listener: RequestListener): Promise<Receiver> =>
  listen(createServer(listener))

/** Speaks whatever the test writes. */
export const openTcpReceiver = (onConnection: (socket: Socket) => void): Promise<Receiver> =>
  listen(createTcpServer(onConnection))

export const openReceiver = listen
