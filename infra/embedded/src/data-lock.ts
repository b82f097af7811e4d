/**
 * One system per data folder. The lock names its process, so that a lock left by kill -9 is recognised, and its
 * state, so that a start that follows a stop waits for it.
 */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeFolder } from './make-folder.ts'
import { OperatorError } from './operator-error.ts'
import { processIdentity } from './process-identity.ts'
import { readIfPresent } from './read-if-present.ts'

export interface DataLock {
  /** Says that the holder is on its way out; others wait then instead of giving up. */
  markStopping(): void
  release(): void
}

interface Holder {
  readonly pid: number
  readonly identity: string
  readonly state: 'running' | 'stopping'
}

/** Long enough for a parent's death to be noticed, and for a stop under way to end. */
const RUNNING_WAIT_MS = 3_000
const STOPPING_WAIT_MS = 40_000
const POLL_MS = 100

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'lock.json')

/**
 * Takes the folder for this process, waiting for a holder that is about to end.
 * @throws OperatorError naming the holder's process when it stays, or what is wrong with the folder.
 */
export const takeDataLock = async (
  dataFolder: string,
  limits = { runningWaitMs: RUNNING_WAIT_MS, stoppingWaitMs: STOPPING_WAIT_MS },
): Promise<DataLock> => {
  makeDataFolder(dataFolder)
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const holder = readHolder(dataFolder)
    if (holder === undefined) {
      if (claim(dataFolder)) break
      continue
    }
    if (waitedMs >= (holder.state === 'stopping' ? limits.stoppingWaitMs : limits.runningWaitMs)) {
      throw new OperatorError(
        `process ${holder.pid} already runs on the data folder ${dataFolder}.`,
        `Stop it first (Ctrl-C, or kill ${holder.pid}), or set MERX_DATA_DIR to another folder.`,
      )
    }
    await wait(POLL_MS)
  }
  const markStopping = (): void => {
    const next = `${fileIn(dataFolder)}.${process.pid}`
    writeFileSync(next, JSON.stringify(self('stopping')))
    renameSync(next, fileIn(dataFolder))
  }
  return { markStopping, release: () => rmSync(fileIn(dataFolder), { force: true }) }
}

const makeDataFolder = (dataFolder: string): void => {
  try {
    makeFolder(dataFolder)
  } catch (error) {
    throw explainFolder(error, dataFolder)
  }
}

const ELSEWHERE = 'set MERX_DATA_DIR to another folder.'

const explainFolder = (error: unknown, dataFolder: string): unknown => {
  const { code } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
      return new OperatorError(
        `the data folder ${dataFolder} cannot be written to (${code}).`,
        `Give it to the account that runs Merx, or ${ELSEWHERE}`,
        { cause: error },
      )
    case 'EEXIST':
    case 'ENOTDIR':
      return new OperatorError(
        `${dataFolder} is no folder, and cannot become one (${code}).`,
        `Move the file that is in its way, or ${ELSEWHERE}`,
        { cause: error },
      )
    case 'ENOSPC':
      return new OperatorError(
        `the disk that holds the data folder ${dataFolder} is full.`,
        `Make room, or ${ELSEWHERE}`,
        { cause: error },
      )
    default:
      return error
  }
}

/** The live process that holds the folder; a lock whose process is gone is removed on the way. */
export const readHolder = (dataFolder: string): Holder | undefined => {
  const text = readIfPresent(fileIn(dataFolder))
  if (text === undefined) return undefined
  const holder = parseHolder(text)
  if (holder !== undefined && processIdentity(holder.pid) === holder.identity) return holder
  rmSync(fileIn(dataFolder), { force: true })
  return undefined
}

/** Garbage, as a full disk or a power cut leaves it, holds nothing. */
const parseHolder = (text: string): Holder | undefined => {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null
    if (typeof value?.pid !== 'number' || typeof value.identity !== 'string') return undefined
    return {
      pid: value.pid,
      identity: value.identity,
      state: value.state === 'stopping' ? 'stopping' : 'running',
    }
  } catch {
    return undefined
  }
}

const self = (state: Holder['state']): Holder => ({
  pid: process.pid,
  identity: processIdentity(process.pid) ?? '',
  state,
})

/** A hard link appears whole or not at all, so nobody ever reads half a lock. */
const claim = (dataFolder: string): boolean => {
  const own = `${fileIn(dataFolder)}.${process.pid}`
  try {
    writeFileSync(own, JSON.stringify(self('running')))
    linkSync(own, fileIn(dataFolder))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw explainFolder(error, dataFolder)
  } finally {
    rmSync(own, { force: true })
  }
}
