/**
 * Lines of one turn of the event loop go out together: a system call for each would cost more than making it. Nothing
 * waits longer than that turn, and what is left is written when the process ends; a kill -9 takes the lines of the turn
 * it fell into with it.
 */
import type { DestinationStream } from 'pino'

/** Holds what is written until it is told to pass it on. */
export interface FlushableDestination extends DestinationStream {
  flushSync(): void
}

const outputs: FlushableDestination[] = []

const flushAll = (): void => {
  for (const output of outputs) output.flushSync()
}

/** @example pino(options, lineBuffer(pino.destination({ dest: 1, sync: true, minLength: 8_192 }))) */
export const lineBuffer = (output: FlushableDestination): DestinationStream => {
  let isWaiting = false
  const flush = (): void => {
    isWaiting = false
    output.flushSync()
  }
  if (outputs.push(output) === 1) process.once('exit', flushAll)
  return {
    write: (line) => {
      output.write(line)
      if (isWaiting) return
      isWaiting = true
      setImmediate(flush)
    },
  }
}
