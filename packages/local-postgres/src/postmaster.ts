/** postmaster.pid: what a running PostgreSQL writes about itself into its data folder, and what a crash leaves. */
import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Line numbers of the file, from 0: utils/pidfile.h of PostgreSQL. */
const PID_LINE = 0
const STATUS_LINE = 7

const FAST_TIMEOUT_MS = 30_000
const IMMEDIATE_TIMEOUT_MS = 10_000
const POLL_MS = 50

/** The server process. */
export interface Postmaster {
  readonly pid: number
  readonly isReady: boolean
}

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'postmaster.pid')

/** @returns undefined when the file is absent or half written. */
export const readPostmaster = (dataFolder: string): Postmaster | undefined => {
  try {
    const lines = readFileSync(fileIn(dataFolder), 'utf8').split('\n')
    const pid = Number(lines[PID_LINE])
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    return { pid, isReady: lines[STATUS_LINE]?.trim() === 'ready' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Makes the folder free to start on. A server that outlived its parent (which was killed with -9) is stopped; a
 * file whose process is gone, or whose number now belongs to another program, is removed.
 * Only for a caller that holds the data folder: a server of somebody else would be stopped.
 * @returns what was found, for the log.
 */
export const clearLeftover = async (
  dataFolder: string,
): Promise<'nothing' | 'stale file' | 'running server'> => {
  const left = readPostmaster(dataFolder)
  if (left === undefined) {
    rmSync(fileIn(dataFolder), { force: true })
    return 'nothing'
  }
  if (!servesFolder(left.pid, dataFolder)) {
    rmSync(fileIn(dataFolder), { force: true })
    return 'stale file'
  }
  await stopProcess(left.pid)
  return 'running server'
}

/** Ends the server: fast (clients are cut, nothing is lost), and immediately when that takes too long. */
export const stopProcess = async (pid: number): Promise<void> => {
  const steps = [
    { signal: 'SIGINT', timeoutMs: FAST_TIMEOUT_MS },
    { signal: 'SIGQUIT', timeoutMs: IMMEDIATE_TIMEOUT_MS },
  ] as const
  for (const { signal, timeoutMs } of steps) {
    if (!sendSignal(pid, signal)) return
    for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
      await wait(POLL_MS)
      if (!sendSignal(pid, 0)) return
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`)
}

/** @returns false when there is no such process. */
const sendSignal = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Whether the process is a PostgreSQL on this very folder: after a reboot its number may be anybody's. */
const servesFolder = (pid: number, dataFolder: string): boolean => {
  const commandLine = readCommandLine(pid)
  const names = [dataFolder, realpathSync(dataFolder)]
  return commandLine.includes('postgres') && names.some((name) => commandLine.includes(name))
}

const readCommandLine = (pid: number): string => {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'ENOENT' || code === 'ESRCH') return ''
      throw error
    }
  }
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return '' // ps ends with 1 when there is no such process
  }
}
