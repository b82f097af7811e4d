/** Pages between the reader of the feed and the writer of the store: bounded, so that the faster one waits. */
export interface PageQueue<T> {
  /** Waits while the queue is full. */
  push(page: T): Promise<void>
  /** Waits for the first page; then gives all that are there. Throws what the queue was ended with. */
  takeAll(): Promise<readonly T[]>
  /** Nothing comes any more; what is waiting is thrown the reason. */
  end(reason: unknown): void
}

export const createPageQueue = <T>(max: number): PageQueue<T> => {
  const pages: T[] = []
  let changed = Promise.withResolvers<void>()
  let ended: { readonly reason: unknown } | undefined

  const wake = (): void => {
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }
  const throwIfEnded = (): void => {
    if (ended !== undefined) throw ended.reason
  }

  return {
    push: async (page) => {
      while (pages.length >= max) {
        throwIfEnded()
        await changed.promise
      }
      throwIfEnded()
      pages.push(page)
      wake()
    },
    takeAll: async () => {
      while (pages.length === 0) {
        throwIfEnded()
        await changed.promise
      }
      const taken = pages.splice(0)
      wake()
      return taken
    },
    end: (reason) => {
      ended ??= { reason }
      wake()
    },
  }
}
