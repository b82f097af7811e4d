/** Reads a file of the data folder that may be missing. */
import { readFileSync } from 'node:fs'

/** Undefined when there is none. The error names the file: Node leaves it out when a folder is in its place. */
export const readIfPresent = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    if (failure.code === 'ENOENT') return undefined
    failure.path ??= file
    throw failure
  }
}
