/** Distinguishes a process from a later one with the same process id. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Field 22 of /proc/<pid>/stat, counted from the field after the name, which may hold spaces. */
const START_TIME_FIELD = 19

/**
 * Something that differs between two processes with the same number: the boot and start time of the process.
 * @returns undefined when there is no such process.
 */
export const processIdentity = (pid: number): string | undefined => {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

const fromProc = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie runs nothing and holds nothing; its parent has only not asked for its exit code yet.
    if (fields[0] === 'Z') return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${fields[START_TIME_FIELD] ?? ''}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

const fromPs = (pid: number): string | undefined => {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined // ps ends with 1 when there is no such process
  }
}
