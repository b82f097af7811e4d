/**
 * KeyValue on Redis or Redis Cluster: each operation is one command on one key, so it is atomic and cluster-safe. Reads
 * of one key in one turn of the event loop are one command, sent after all of them asked.
 */
import type { RedisConnection } from './connect-redis.ts'
import { checkEntry, checkKey, KeyValueUnavailable } from './key-value.ts'
import type { KeyValue } from './key-value.ts'
import { createSharedTurns } from './shared-turns.ts'

/** The connection, and what stands in front of every key. */
export interface RedisKeyValueOptions {
  /** Shared with others; whoever opened it closes it. */
  readonly redis: RedisConnection
  /** In front of every key, to keep services apart on one server, for example `auth:`. */
  readonly prefix: string
}

/** Readers of one key that share a command. */
const READERS_MAX = 1000

/** @example const store = createRedisKeyValue({ redis, prefix: 'auth:' }) */
export const createRedisKeyValue = ({ redis, prefix }: RedisKeyValueOptions): KeyValue => {
  const name = (key: string): string => `${prefix}${key}`
  const reads = createSharedTurns(READERS_MAX, async (key: string, count) => {
    const value = (await answer(redis.get(name(key)))) ?? undefined
    return Array.from({ length: count }, () => value)
  })
  return {
    get: async (key) => {
      checkKey(key)
      return reads.join(key, key)
    },
    set: async (key, value, expiry) => {
      checkEntry(key, value, expiry)
      await answer(redis.set(name(key), value, 'EX', expiry.ttlSeconds))
    },
    setIfAbsent: async (key, value, expiry) => {
      checkEntry(key, value, expiry)
      return (await answer(redis.set(name(key), value, 'EX', expiry.ttlSeconds, 'NX'))) === 'OK'
    },
    take: async (key) => {
      checkKey(key)
      return (await answer(redis.getdel(name(key)))) ?? undefined
    },
    delete: async (key) => {
      checkKey(key)
      await answer(redis.del(name(key)))
    },
    close: async () => undefined,
  }
}

const answer = async <T>(command: Promise<T>): Promise<T> => {
  try {
    return await command
  } catch (error) {
    throw new KeyValueUnavailable('Redis did not answer', { cause: error })
  }
}
