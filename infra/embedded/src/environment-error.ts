/** Failures that the machine caused (a full disk, a read-only folder) → what the person at the terminal can do. */
import { types } from 'node:util'
import { OperatorError } from './operator-error.ts'

interface Cause {
  readonly code: string
  /** The words of programs that end with a text: initdb, PostgreSQL, Redis. */
  readonly words: RegExp
  readonly what: string
  readonly remedy: string
}

const ELSEWHERE = 'set MERX_DATA_DIR to another folder.'

const CAUSES: readonly Cause[] = [
  {
    code: 'ENOSPC',
    words: /no space left on device|disk is full|not enough space/i,
    what: 'there is no room left on the disk',
    remedy: `Make room, or ${ELSEWHERE}`,
  },
  {
    code: 'EDQUOT',
    words: /disk quota exceeded/i,
    what: 'the disk quota is used up',
    remedy: `Make room, or ${ELSEWHERE}`,
  },
  {
    code: 'EROFS',
    words: /read-only file system/i,
    what: 'the file system is read-only',
    remedy: `Mount it for writing, or ${ELSEWHERE}`,
  },
  {
    code: 'EACCES',
    words: /permission denied/i,
    what: 'the account that runs Merx may not use it',
    remedy: `Give it to that account, or ${ELSEWHERE}`,
  },
  {
    code: 'EPERM',
    words: /operation not permitted/i,
    what: 'the system does not permit it',
    remedy: `Give the data folder to the account that runs Merx, or ${ELSEWHERE}`,
  },
  {
    code: 'EEXIST',
    words: /file exists/i,
    what: 'a file is where a folder belongs',
    remedy: `Move it away, or ${ELSEWHERE}`,
  },
  {
    code: 'ENOTDIR',
    words: /not a directory/i,
    what: 'a file is where a folder belongs',
    remedy: `Move it away, or ${ELSEWHERE}`,
  },
  {
    code: 'EISDIR',
    words: /is a directory/i,
    what: 'a folder is where a file belongs',
    remedy: `Move it away, or ${ELSEWHERE}`,
  },
  {
    code: 'ENOENT',
    words: /no such file or directory/i,
    what: 'it is missing and cannot be made',
    remedy: `Look whether its disk is there, or ${ELSEWHERE}`,
  },
  {
    code: 'EIO',
    words: /input\/output error/i,
    what: 'the disk cannot be read or written',
    remedy: `Check the disk, or ${ELSEWHERE}`,
  },
  {
    code: 'EMFILE',
    words: /too many open files/i,
    what: 'this process may not open more files',
    remedy: 'Raise the limit (ulimit -n), and start again.',
  },
]

/** Of PostgreSQL: disk_full. */
const SQLSTATE_DISK_FULL = '53100'

/** The error, what caused it, and what it gathers, at most so many. */
const ERRORS_MAX = 20
const allOf = (error: unknown): Error[] => {
  const found: Error[] = []
  const queue: unknown[] = [error]
  while (queue.length > 0 && found.length < ERRORS_MAX) {
    const next = queue.shift()
    if (!types.isNativeError(next) || found.includes(next)) continue
    found.push(next)
    queue.push(next.cause, ...(next instanceof AggregateError ? (next.errors as unknown[]) : []))
    if (next instanceof SuppressedError) queue.push(next.error, next.suppressed)
  }
  return found
}

const findCause = (error: Error): Cause | undefined => {
  const { code } = error as NodeJS.ErrnoException
  const known = CAUSES.find((cause) => cause.code === (code === SQLSTATE_DISK_FULL ? 'ENOSPC' : code))
  if (known !== undefined) return known
  // Programs that Merx starts, and native libraries, have no code. A database's error has one, with a meaning of its own.
  return code === undefined && error.name === 'Error'
    ? CAUSES.find(({ words }) => words.test(error.message))
    : undefined
}

/** @returns undefined when the environment is not to blame */
export const explainEnvironment = (error: unknown): OperatorError | undefined => {
  for (const each of allOf(error)) {
    const cause = findCause(each)
    if (cause === undefined) continue
    const { path } = each as NodeJS.ErrnoException
    const at = path === undefined ? '' : `${path}: `
    return new OperatorError(`${at}${cause.what} (${cause.code}).`, cause.remedy, { cause: error })
  }
  return undefined
}
