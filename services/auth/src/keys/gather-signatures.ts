/**
 * Signatures that are made at the same time are handed on together. Alone, each one wakes the event loop, a command to
 * the store, the store, and the event loop again, in the midst of the others; together they do so once
 * (docs/adr/0062-signed-tokens-go-on-together.md).
 */

/** Signatures handed on together at most. */
export const GATHERED_MAX = 16

/** Milliseconds that a signature waits for others at most: about two of 4,096 bit on processors without AVX-512. */
export const GATHER_MS = 10

/** @returns what `sign` returns, or its error. A signature that no other is made beside does not wait. */
export type SignTogether = <T>(sign: () => Promise<T>) => Promise<T>

/** @returns what takes it back */
export type After = (milliseconds: number, act: () => void) => () => void

const afterTimeout: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds)
  return () => {
    clearTimeout(timer)
  }
}

/** @param after a test's own time */
export const gatherSignatures = (after: After = afterTimeout): SignTogether => {
  let underWay = 0
  let waiting: (() => void)[] = []
  let stopTimer: (() => void) | undefined

  const release = (): void => {
    stopTimer?.()
    stopTimer = undefined
    const released = waiting
    waiting = []
    for (const goOn of released) goOn()
  }

  /** Until as many are made as are still to be made. */
  const wait = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    if (waiting.length >= Math.min(underWay, GATHERED_MAX)) release()
    else stopTimer ??= after(GATHER_MS, release)
    return promise
  }

  return async (sign) => {
    underWay += 1
    try {
      return await sign()
    } finally {
      underWay -= 1
      await wait()
    }
  }
}
