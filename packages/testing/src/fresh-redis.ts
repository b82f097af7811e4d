/** A Redis client of one's own for a test file; every key it writes carries a prefix nobody else has. */
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { redisMissingReason } from './redis-server.ts'

/** A part of the shared Redis for one test file. */
export interface FreshRedis {
  readonly client: Redis
  /** Of the shared server. */
  readonly url: string
  /** In front of every key `client` writes; ends in a colon. */
  readonly prefix: string
  /** Removes this file's keys and closes the client. */
  drop(): Promise<void>
}

/**
 * @throws Error with the reason when the run has no Redis: a test that needs it fails, it is never skipped.
 * @example const redis = await freshRedis(); afterAll(() => redis.drop())
 */
export const freshRedis = async (): Promise<FreshRedis> => {
  const url = process.env['MERX_TEST_REDIS_URL']
  if (url === undefined) {
    const reason =
      redisMissingReason() ?? 'MERX_TEST_REDIS_URL is unset; run this file in the http or db Jest project'
    throw new Error(`no Redis for tests: ${reason}`)
  }
  const prefix = `test-${randomBytes(6).toString('hex')}:`
  const client = new Redis(url, { keyPrefix: prefix, maxRetriesPerRequest: 1, lazyConnect: true })
  await client.connect()
  const drop = async (): Promise<void> => {
    const plain = new Redis(url)
    for await (const keys of plain.scanStream({ match: `${prefix}*`, count: 1000 }) as AsyncIterable<
      string[]
    >) {
      if (keys.length > 0) await plain.unlink(keys)
    }
    await plain.quit()
    await client.quit()
  }
  return { client, url, prefix, drop }
}
