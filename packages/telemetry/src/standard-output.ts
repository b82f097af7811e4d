/**
 * Where log lines go, and what happens when they cannot: a full disk behind the standard output must not end the service.
 * Lines wait for room, oldest first, and beyond a limit new ones are dropped and counted.
 */
import { pino, type DestinationStream } from 'pino'

/** Bytes that wait at most. */
const WAITING_MAX = 1_048_576

let dropped = 0

/** Lines of this process that were never written, because the standard output took none for too long. */
export const droppedLogLines = (): number => dropped

const countLines = (text: string): number => text.split('\n').length - 1

/** Writes at once what it is given; never throws. */
export const standardOutput = (): DestinationStream => {
  const output = pino.destination({ dest: 1, sync: true, maxLength: WAITING_MAX })
  output.on('error', () => undefined) // what failed is kept and goes with the next write
  output.on('drop', (text: string) => {
    dropped += countLines(text)
  })
  return output
}
