/**
 * Writes log lines to the standard output or a file. A full disk must not end the process: lines wait for room, oldest
 * first, and beyond a limit new ones are dropped and counted.
 */
import { pino } from 'pino'

/** Bytes that wait at most. */
const WAITING_MAX = 1_048_576

let dropped = 0

/** Lines of this process that were never written, because their output took none for too long. */
export const droppedLogLines = (): number => dropped

const countLines = (text: string): number => text.split('\n').length - 1

/** Takes whole lines; never throws. */
export interface LogOutput {
  write(line: string): void
  /** Opens the file again, after it was renamed. @throws when it cannot be opened; the old one then stays in use */
  reopen(): void
  close(): void
}

/**
 * Each line is written at once, so nothing is lost when the process is killed. There is no `flushSync`, which pino would
 * call for fatal lines: that of sonic-boom blocks the process until the disk has room.
 *
 * @param dest a path, or 1 for the standard output
 */
export const logOutput = (dest: string | 1): LogOutput => {
  const output = pino.destination({ dest, mode: 0o600, sync: true, maxLength: WAITING_MAX })
  output.on('error', () => undefined) // sonic-boom keeps what failed and writes it before the next line
  output.on('drop', (text: string) => {
    dropped += countLines(text)
  })
  return {
    write: (line) => void output.write(line),
    reopen: () => output.reopen(),
    close: () => output.end(),
  }
}
