/** The JSON log of a system that runs in a terminal: a file of bounded size, with one predecessor. */
import { renameSync, statSync } from 'node:fs'
import { logOutput } from '@merx/telemetry/log-output'

export interface LogFile {
  write(line: string): void
  close(): void
}

const BYTES_MAX = 50 * 1024 * 1024

/** @param bytesMax when the file grows beyond it, it becomes `<file>.1` and a new one begins */
export const openLogFile = (file: string, bytesMax = BYTES_MAX): LogFile => {
  const output = logOutput(file)
  let bytes = statSync(file).size
  const rotate = (): void => {
    bytes = 0
    try {
      renameSync(file, `${file}.1`)
      output.reopen()
    } catch (error) {
      // The file in use stays in use; the next attempt is made after as many bytes again.
      const reason = error instanceof Error ? error.message : String(error)
      output.write(`${JSON.stringify({ level: 'warn', msg: 'the log file cannot be rotated', reason })}\n`)
    }
  }
  return {
    write: (line) => {
      bytes += line.length
      if (bytes > bytesMax) rotate()
      output.write(line)
    },
    close: () => output.close(),
  }
}
