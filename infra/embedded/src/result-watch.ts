/** A Jest run that has written its result and does not end: a test left something open, and waiting brings nothing more. */
import { statSync } from 'node:fs'

const LOOK_MS = 1_000

export interface ResultWatch {
  /** Aborted when the result lies there for longer than it may. */
  readonly signal: AbortSignal
  stop(): void
}

/** @param graceMs how long the run may take to end after its result was written. */
export const watchResult = (file: string, graceMs: number): ResultWatch => {
  const controller = new AbortController()
  const timer = setInterval(() => {
    const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (writtenAt !== undefined && Date.now() - writtenAt > graceMs) controller.abort()
  }, LOOK_MS)
  return { signal: controller.signal, stop: () => clearInterval(timer) }
}
