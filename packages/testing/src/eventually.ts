/** Waiting for what happens elsewhere. */
import { setTimeout as wait } from 'node:timers/promises'

const PATIENCE_MS = 30_000
const LOOK_MS = 20

/** Resolves once it is so, or after half a minute: the assertion that follows then shows what is not. */
export const eventually = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const untilMs = performance.now() + PATIENCE_MS
  while (performance.now() < untilMs && !(await isSo())) await wait(LOOK_MS)
}
