/** Pages between the reader of the feed and the writer of the store: bounded, so that the faster one waits. */
export interface PageQueue<T> {
  /** Waits while the queue is full. `size` is what the page takes of `sizeMax`. */
  push(page: T, size?: number): Promise<void>
  /**
   * Waits for the first page, and then for as many as are worth a batch: until there are enough, the last one is there, the
   * queue has ended, or it took too long. Gives all that are there; with none, throws what the queue was ended with.
   */
  takeAll(): Promise<readonly T[]>
  /** Nothing comes any more; what is waiting is thrown the reason. */
  end(reason: unknown): void
}

export interface PageQueueOptions<T> {
  readonly max: number
  /** The queue is full with so much, however few pages it is; one page always finds room in an empty queue. */
  readonly sizeMax?: number
  /** At most `max`; without it every page is worth a batch. */
  readonly enough?: number
  /** Whether no page is to be expected soon after this one. */
  readonly isLast?: (page: T) => boolean
  readonly patienceMs?: number
}

export const createPageQueue = <T>({
  max,
  sizeMax = Infinity,
  enough = 1,
  isLast = () => false,
  patienceMs = 0,
}: PageQueueOptions<T>): PageQueue<T> => {
  const pages: T[] = []
  let sizeAhead = 0
  let changed = Promise.withResolvers<void>()
  let ended: { readonly reason: unknown } | undefined

  const wake = (): void => {
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }
  const throwIfEnded = (): void => {
    if (ended !== undefined) throw ended.reason
  }
  const isFull = (): boolean => pages.length >= max || sizeAhead >= sizeMax
  const isWorthIt = (): boolean => {
    const last = pages.at(-1)
    return pages.length >= enough || isFull() || ended !== undefined || (last !== undefined && isLast(last))
  }
  const waitForMore = async (): Promise<void> => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      wake()
    }, patienceMs)
    while (!isLate && !isWorthIt()) await changed.promise
    clearTimeout(timer)
  }

  return {
    push: async (page, size = 0) => {
      while (isFull()) {
        throwIfEnded()
        await changed.promise
      }
      throwIfEnded()
      pages.push(page)
      sizeAhead += size
      wake()
    },
    takeAll: async () => {
      while (pages.length === 0) {
        throwIfEnded()
        await changed.promise
      }
      if (!isWorthIt()) await waitForMore()
      const taken = pages.splice(0)
      sizeAhead = 0
      wake()
      return taken
    },
    end: (reason) => {
      ended ??= { reason }
      wake()
    },
  }
}
