/** A listener of /api/events/stream, as light as it can be: a thousand of them share a process with who writes. */
import { get } from 'node:http'

export interface EventListener {
  readonly close: () => void
}

/** Resolves once the stream has begun; `onEvent` gets the id of each message. */
export const openListener = (
  url: string,
  token: string,
  onEvent: (id: string) => void,
): Promise<EventListener> => {
  const { promise, resolve, reject } = Promise.withResolvers<EventListener>()
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const request = get(url, { agent: false, headers }, (response) => {
    if (response.statusCode !== 200) {
      reject(new Error(`a listener was answered with ${response.statusCode}`))
      return
    }
    let rest = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) if (block.startsWith('id: ')) onEvent(block.slice(4, block.indexOf('\n')))
    })
    // Closing breaks it off.
    response.on('error', () => undefined)
    resolve({ close: () => request.destroy() })
  })
  request.on('error', reject)
  return promise
}
