/** The deliveries of one receiver in memory: some in flight, never two about the same record. */

/** Calls to one receiver at once. */
export const IN_FLIGHT_MAX = 32

export interface Lane<Item> {
  readonly size: () => number
  /** In order. */
  add(items: readonly Item[]): void
}

/**
 * Starts items in their order; one whose record has another in flight waits, and so do those behind it about the same record.
 * @param start never rejects
 */
export const createLane = <Item>(options: {
  readonly recordOf: (item: Item) => string
  readonly start: (item: Item) => Promise<void>
}): Lane<Item> => {
  const { recordOf, start } = options
  let waiting: Item[] = []
  const busy = new Set<string>()

  const run = async (item: Item): Promise<void> => {
    const record = recordOf(item)
    busy.add(record)
    try {
      await start(item)
    } finally {
      busy.delete(record)
      pump()
    }
  }
  const pump = (): void => {
    const passedOver = new Set<string>()
    const starting: Item[] = []
    const left: Item[] = []
    for (const item of waiting) {
      const record = recordOf(item)
      const hasRoom = busy.size + starting.length < IN_FLIGHT_MAX
      if (hasRoom && !busy.has(record) && !passedOver.has(record)) starting.push(item)
      else left.push(item)
      passedOver.add(record)
    }
    waiting = left
    for (const item of starting) void run(item)
  }
  return {
    size: () => waiting.length + busy.size,
    add: (items) => {
      waiting.push(...items)
      pump()
    },
  }
}
