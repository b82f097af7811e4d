/** The JSON log of a system that runs in a terminal: a file that is never longer than a fixed size, with one predecessor. */
import { renameSync, statSync } from 'node:fs'
import sonic from 'sonic-boom'

export interface LogFile {
  write(line: string): void
  /** Writes out what is buffered. */
  close(): void
}

const BYTES_MAX = 50 * 1024 * 1024
const FLUSH_EVERY_MS = 200
const BUFFER_BYTES = 4_096

/** @param bytesMax when the file grows beyond it, it becomes `<file>.1` and a new one begins */
export const openLogFile = (file: string, bytesMax = BYTES_MAX): LogFile => {
  const stream = new sonic.SonicBoom({
    dest: file,
    mode: 0o600,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    sync: true,
  })
  let bytes = statSync(file).size
  const rotate = (): void => {
    stream.flushSync()
    renameSync(file, `${file}.1`)
    stream.reopen()
    bytes = 0
  }
  return {
    write: (line) => {
      bytes += line.length
      if (bytes > bytesMax) rotate()
      stream.write(line)
    },
    close: () => {
      stream.flushSync()
      stream.end()
    },
  }
}
