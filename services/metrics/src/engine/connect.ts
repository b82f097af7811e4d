/** Opens a client of the engine: of a ClickHouse server by URL, or of chdb in this process by folder. */
import { createRequire } from 'node:module'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'

type ClientConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

const WRITE_TIMEOUT_MS = 120_000

/**
 * How long the engine keeps memory that a query gave back, for the next one, before the system gets it: a query that has to
 * request each page again takes up to a fifth longer (docs/adr/0061-the-engine-keeps-memory-for-a-minute.md). What it may use at
 * most is another limit. jemalloc reads it when the engine is loaded.
 */
const MALLOC_CONF = 'dirty_decay_ms:60000,muzzy_decay_ms:60000'

/** Loaded when a folder is opened, and only then: half a gigabyte that an image with CLICKHOUSE_URL does without. */
const loadChdb = () => {
  process.env['JE_MALLOC_CONF'] ??= MALLOC_CONF
  try {
    return createRequire(import.meta.url)('chdb/connection') as typeof import('chdb/connection')
  } catch (cause) {
    throw new Error('the embedded analytics engine is not installed here; set CLICKHOUSE_URL', { cause })
  }
}

const openFolder = (path: string) => {
  const { createChdbConnection } = loadChdb()
  try {
    return createChdbConnection({ path })
  } catch (cause) {
    const message = `the analytics folder ${path} cannot be opened; is another process using it?`
    throw new Error(message, { cause })
  }
}

/** One connection to the engine in this process. Several may be open to the same folder. */
export const connectToFolder = (path: string): ClickHouseClient => {
  // chdb types its connection by its own copy of the client's settings class, which has a private member
  const connection = openFolder(path) as unknown as ClientConnection
  return createClient({ connection })
}

/** A server, over as many connections as the client needs. */
export const connectToServer = (url: string): ClickHouseClient =>
  createClient({
    url,
    application: 'merx-metrics',
    request_timeout: WRITE_TIMEOUT_MS,
    keep_alive: { enabled: true },
    // Its own lines are not JSON; what fails is thrown and logged by the caller.
    log: { level: ClickHouseLogLevel.OFF },
  })
