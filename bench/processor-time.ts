/** Processor time of a process and of those that it started, from Linux' /proc. */
import { readdirSync, readFileSync } from 'node:fs'

/** A tick of /proc/<pid>/stat, on every Linux there is. */
const MS_PER_TICK = 10

interface Usage {
  readonly parent: number
  /** Its own. */
  readonly ownMs: number
  /** Of those it started that have ended. */
  readonly endedMs: number
}

/** Undefined for a process that has ended. */
const usageOf = (pid: number): Usage | undefined => {
  try {
    // After the name, which is in parentheses: state, parent, …; 14 to 17 are utime, stime, cutime, cstime.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = (field: number): number => Number(fields[field - 3] ?? 0)
    return {
      parent: ticks(4),
      ownMs: (ticks(14) + ticks(15)) * MS_PER_TICK,
      endedMs: (ticks(16) + ticks(17)) * MS_PER_TICK,
    }
  } catch {
    return undefined // it ended between the listing and the reading
  }
}

/** Milliseconds so far of the process alone; 0 when it has ended. */
export const ownProcessorTime = (pid: number): number => usageOf(pid)?.ownMs ?? 0

/** Milliseconds so far of the process, of its children, and of children that have ended. */
export const processorTime = (pid: number): number => {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const children = pids.flatMap((one) => {
    const usage = usageOf(one)
    return usage?.parent === pid ? [usage.ownMs] : []
  })
  const { ownMs = 0, endedMs = 0 } = usageOf(pid) ?? {}
  return ownMs + endedMs + children.reduce((sum, ms) => sum + ms, 0)
}

/** The process that started this one. */
export const parentOf = (pid: number): number => {
  const usage = usageOf(pid)
  if (usage === undefined) throw new Error(`there is no process ${pid}`)
  return usage.parent
}
