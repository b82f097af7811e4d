/**
 * npm that is killed leaves its script running, and does not always pass on signals: without a look at it the system
 * would go on unseen and hold its ports. Between npm and this process are one or two shells.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const POLL_MS = 500
const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'zsh', 'busybox'])
const DEPTH_MAX = 5

/** Calls back once when the npm that runs this script is gone; does nothing when no npm does. */
export const onNpmGone = (callback) => {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  // The process npm started: it belongs to somebody else as soon as npm is gone, even while npm is a zombie.
  let started = process.pid
  for (let depth = 0; depth < DEPTH_MAX && isShell(parentOf(started)); depth += 1) started = parentOf(started)
  const npm = parentOf(started)
  const timer = setInterval(() => {
    if (parentOf(started) === npm) return
    clearInterval(timer)
    callback()
  }, POLL_MS)
  timer.unref()
}

/** @returns 0 when there is no such process. */
const parentOf = (pid) => {
  if (pid === process.pid) return process.ppid
  if (process.platform !== 'linux') return Number(ask(pid, 'ppid='))
  const stat = readOptional(`/proc/${pid}/stat`)
  // The second field is the name in parentheses, which may hold anything; state and parent follow.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

const isShell = (pid) => {
  if (pid <= 1) return false
  const command =
    process.platform === 'linux'
      ? readOptional(`/proc/${pid}/cmdline`).split('\0')[0]
      : ask(pid, 'command=').split(' ')[0]
  return SHELLS.has(path.basename(command))
}

const readOptional = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return ''
    throw error
  }
}

const ask = (pid, field) => {
  try {
    return execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return '' // ps ends with 1 when there is no such process
  }
}
