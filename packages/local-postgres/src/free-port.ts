/** Ports for servers that only this process uses. */
import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 nothing listens on at this moment; the caller retries when another process takes it first.
 * @param avoid ports that are free now but meant for something else
 */
export const findFreePort = async (avoid: ReadonlySet<number> = new Set()): Promise<number> => {
  const port = await askSystem()
  return avoid.has(port) ? findFreePort(avoid) : port
}

const askSystem = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('the system gave no port'))
      })
    })
  })
