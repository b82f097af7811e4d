/** A pool of connections to the engine. One serves one task at a time; another is opened only when all are in use. */

export interface ConnectionPool<C> {
  /** Waits in order of arrival while as many connections as allowed are lent. Throws an Error after `close`. */
  use<T>(work: (connection: C) => Promise<T>): Promise<T>
  /** Closes what is open. Call it when no work is under way. */
  close(): Promise<void>
}

export interface PoolOptions<C> {
  readonly open: () => C
  readonly closeOne: (connection: C) => Promise<void>
  readonly max: number
}

export const createConnectionPool = <C>({ open, closeOne, max }: PoolOptions<C>): ConnectionPool<C> => {
  const all: C[] = []
  const free: C[] = []
  const waiting: ((connection: C) => void)[] = []
  let isClosed = false

  const take = (): C | Promise<C> => {
    if (isClosed) throw new Error('its connections are closed')
    const known = free.pop()
    if (known !== undefined) return known
    if (all.length < max) {
      const opened = open()
      all.push(opened)
      return opened
    }
    return new Promise((resolve) => {
      waiting.push(resolve)
    })
  }

  const giveBack = (connection: C): void => {
    const next = waiting.shift()
    if (next === undefined) free.push(connection)
    else next(connection)
  }

  return {
    use: async (work) => {
      const connection = await take()
      try {
        return await work(connection)
      } finally {
        giveBack(connection)
      }
    },
    close: async () => {
      isClosed = true
      free.length = 0
      await Promise.all(all.splice(0).map(closeOne))
    },
  }
}
