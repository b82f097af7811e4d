/** Polls until something that happens elsewhere is true. Tests do not measure time: benchmarks do. */
import { setTimeout as wait } from 'node:timers/promises'

/** Less than the two minutes of a test, so that the test fails with this reason. */
const PATIENCE_MS = 100_000
const POLL_MS = 10

/**
 * Resolves with the first value that is not false or undefined. Throws Error after `patienceMs`, 100 s by default, with the
 * source of the condition; a test that needs more has a longer timeout of its own too.
 */
export const eventually = async <T>(
  read: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<Exclude<T, false | undefined>> => {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const value = await read()
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>
    if (performance.now() > deadline)
      throw new Error(`not true within ${patienceMs / 1_000} s: ${String(read)}`)
    await wait(POLL_MS)
  }
}
