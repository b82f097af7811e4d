/** Wakes those who wait for a change, in this process. */
export interface ChangeSignal {
  notify(): void
  /** Resolves at the next change, after `timeoutMs`, or when `signal` aborts, whichever is first. */
  wait(timeoutMs: number, signal?: AbortSignal): Promise<void>
}

export const createChangeSignal = (): ChangeSignal => {
  const waiting = new Set<() => void>()
  return {
    notify: () => {
      for (const wake of [...waiting]) wake()
    },
    wait: (timeoutMs, signal) => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const wake = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        waiting.delete(wake)
        resolve(undefined)
      }
      const timer = setTimeout(wake, timeoutMs)
      signal?.addEventListener('abort', wake, { once: true })
      waiting.add(wake)
      if (signal?.aborted === true) wake()
      return promise
    },
  }
}
