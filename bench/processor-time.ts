/** Processor time and memory of a process and of those that it started, from Linux' /proc. */
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

/** The process, those that it started, those that they started, and so on. */
const treeOf = (root: number): readonly number[] => {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) ? usageOf(Number(name)) : undefined
    if (usage !== undefined) parents.set(Number(name), usage.parent)
  }
  const below = (pid: number): number[] =>
    [...parents].flatMap(([child, parent]) => (parent === pid ? [child, ...below(child)] : []))
  return [root, ...below(root)]
}

/** Milliseconds so far of the process and of all below it, those that have ended included. */
export const processorTime = (pid: number): number =>
  treeOf(pid)
    .map(usageOf)
    .reduce((sum, usage) => sum + (usage?.ownMs ?? 0) + (usage?.endedMs ?? 0), 0)

/** The process that started this one. */
export const parentOf = (pid: number): number => {
  const usage = usageOf(pid)
  if (usage === undefined) throw new Error(`there is no process ${pid}`)
  return usage.parent
}

const BYTES_PER_KB = 1_024

/** Its share of what it uses together with others; 0 when it has ended. */
const memoryOf = (pid: number): number => {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return BYTES_PER_KB * Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  } catch {
    return 0 // it ended between the listing and the reading
  }
}

/** Bytes of the process and of all below it; memory that several of them share counts once. */
export const memoryOfTree = (root: number): number =>
  treeOf(root).reduce((sum, pid) => sum + memoryOf(pid), 0)
