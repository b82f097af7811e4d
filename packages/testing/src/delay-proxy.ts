/** A TCP proxy in front of a server, to see what becomes of its clients when it is slow or does not answer. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface DelayProxy {
  readonly port: number
  /** How long every answer is held back from now on, in milliseconds; Infinity holds it back for good. */
  delay(ms: number): void
  /** Cuts every connection, as a crash of the machine would. */
  cut(): void
  /** Whether connections are cut and new ones hung up on, as when nothing listens. */
  refuse(isRefusing: boolean): void
  close(): Promise<void>
}

/**
 * @param targetPort asked at each connection when it is a function, for a server that comes back elsewhere
 * @example const proxy = await startDelayProxy(redis.port); proxy.delay(2_000)
 */
export const startDelayProxy = async (targetPort: number | (() => number)): Promise<DelayProxy> => {
  const sockets = new Set<Socket>()
  let delayMs = 0
  let isRefusing = false

  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy()) // the other end is gone; its close ends the pair
    return socket
  }

  const pass = (chunk: Buffer, to: Socket): void => {
    if (delayMs === 0) to.write(chunk)
    else if (delayMs < Infinity) setTimeout(() => to.write(chunk), delayMs).unref()
  }

  const server = createServer((client) => {
    if (isRefusing) {
      client.on('error', () => undefined).destroy() // it may have hung up already
      return
    }
    const port = typeof targetPort === 'number' ? targetPort : targetPort()
    const target = track(connect(port, '127.0.0.1'))
    track(client)
      .on('data', (chunk: Buffer) => target.write(chunk))
      .once('close', () => target.destroy())
    target.on('data', (chunk: Buffer) => pass(chunk, client)).once('close', () => client.destroy())
  })
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    delay: (ms) => {
      delayMs = ms
    },
    cut,
    refuse: (isRefused) => {
      isRefusing = isRefused
      if (isRefused) cut()
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
