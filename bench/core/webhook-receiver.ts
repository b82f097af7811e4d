/** A receiver of webhooks on this machine that answers at once, or never. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  readonly url: string
  readonly close: () => Promise<void>
}

/** `onEvent` gets the header `webhook-id` of each delivery. */
export const openReceiver = async (onEvent: (id: string) => void, hangs = false): Promise<Receiver> => {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      onEvent(String(request.headers['webhook-id']))
      if (!hangs) response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
