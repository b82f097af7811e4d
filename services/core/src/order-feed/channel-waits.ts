/** Those who wait for the next notification of one channel. */
export interface ChannelWaits {
  /** How many notifications there were. */
  mark(): number
  /** Resolves at the first notification after the mark, after `timeoutMs`, or on abort. */
  after(mark: number, timeoutMs: number, abort?: AbortSignal): Promise<void>
  wake(): void
}

export const createChannelWaits = (): ChannelWaits => {
  const waiting = new Set<() => void>()
  let count = 0
  return {
    mark: () => count,
    after: (mark, timeoutMs, abort) => {
      if (count !== mark || timeoutMs <= 0 || abort?.aborted === true) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const timer = setTimeout(resume, timeoutMs)
      function resume(): void {
        clearTimeout(timer)
        waiting.delete(resume)
        abort?.removeEventListener('abort', resume)
        resolve(undefined)
      }
      waiting.add(resume)
      abort?.addEventListener('abort', resume)
      return promise
    },
    wake: () => {
      count += 1
      for (const resume of [...waiting]) resume()
    },
  }
}
