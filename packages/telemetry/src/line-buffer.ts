/**
 * Lines of one turn of the event loop go out together: a system call for each would cost more than making it. Nothing
 * waits longer than that turn, and what is left is written when the process ends; a kill -9 takes the lines of the turn
 * it fell into with it.
 */
import type { DestinationStream } from 'pino'

/** Characters; what comes together in one turn beyond it does not wait for the end. */
const HELD_MAX = 65_536

const flushes: (() => void)[] = []

const flushAll = (): void => {
  for (const flush of flushes) flush()
}

/**
 * @param output writes at once what it is given
 * @example pino(options, lineBuffer(standardOutput()))
 */
export const lineBuffer = (output: DestinationStream): DestinationStream => {
  let held = ''
  const flush = (): void => {
    const lines = held
    held = ''
    if (lines !== '') output.write(lines)
  }
  if (flushes.push(flush) === 1) process.once('exit', flushAll)
  return {
    write: (line) => {
      if (held === '') setImmediate(flush)
      held += line
      if (held.length >= HELD_MAX) flush()
    },
  }
}
