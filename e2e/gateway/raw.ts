/** Bytes to a port and what comes back, for requests that no HTTP client would send. */
import { connect } from 'node:net'

const QUIET_MS = 500
const ANSWER_MS = 5_000

/** @returns what was received until the other side hangs up, or says nothing more for half a second. */
export const sendRaw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let received = ''
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      socket.setTimeout(QUIET_MS)
    })
    socket.on('close', () => resolve(received))
    // Hanging up with bytes of ours unread resets the connection; what came before that counts.
    socket.on('error', (error) => {
      if (received === '') reject(error)
    })
  })

/** The status of the first answer. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)

/** The body of the first answer, parsed; throws with the text when it is no JSON. */
export const jsonOf = (answer: string): unknown => {
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new Error(`no JSON: ${answer}`, { cause })
  }
}
