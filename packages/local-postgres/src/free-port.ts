/** Ports for servers that only this process uses. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the range from which systems number outgoing connections (Linux from 32768, IANA and macOS from 49152): a
 * port of that range can be taken by anyone's connection between the asking and the binding.
 */
const FIRST_PORT = 15_000
const PORT_END = 32_000
const ATTEMPTS = 100

/**
 * A port of 127.0.0.1 nothing listens on at this moment; the caller retries when another process takes it first.
 * @param avoid ports that are free now but meant for something else
 * @throws Error when a hundred ports in turn were taken
 */
export const findFreePort = async (avoid: ReadonlySet<number> = new Set()): Promise<number> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, PORT_END)
    if (!avoid.has(port) && (await isFree(port))) return port
  }
  throw new Error(`none of ${ATTEMPTS} ports tried from ${FIRST_PORT} to ${PORT_END - 1} is free`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
