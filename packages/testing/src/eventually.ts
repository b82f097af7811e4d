/** Polls until something that happens elsewhere is true. Tests do not measure time: benchmarks do. */
import { setTimeout as wait } from 'node:timers/promises'

/** Less than the 30 s of a test, so that the test fails with this reason. */
const PATIENCE_MS = 25_000
const POLL_MS = 10

/** Resolves with the first value that is not false or undefined. Throws Error after 25 s, with the condition's source. */
export const eventually = async <T>(read: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> => {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const value = await read()
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>
    if (performance.now() > deadline)
      throw new Error(`not true within ${PATIENCE_MS / 1_000} s: ${String(read)}`)
    await wait(POLL_MS)
  }
}
