/** One way to reach Redis, a single server or a Cluster, that fails quickly instead of queueing. */
import { instrument } from '@merx/telemetry/instrument'
import type { Logger } from '@merx/telemetry/logger'
import { Cluster, Redis } from 'ioredis'
import type { RedisOptions } from 'ioredis'
import { observeRedis } from './redis-metrics.ts'

/** One client for a server or a cluster, and its end. */
export type RedisConnection = Redis | Cluster

/** What may be lost must not be waited for: a caller gets an error within a second when Redis is unavailable. */
const PROMPT = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: false, // a repeated INCR or GETDEL is not the same command
  connectTimeout: 2000,
  commandTimeout: 1000,
  // A command without an answer ends its connection: the server may be gone without a word, and would never be heard of again.
  socketTimeout: 5000,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 1000),
} satisfies RedisOptions

const FIRST_CONNECTION_MS = 2000

/** `redis://` or `rediss://` URLs, one string (separated by commas) or a list. @throws Error naming what is wrong */
export const parseRedisUrls = (urls: string | readonly string[]): readonly URL[] => {
  const texts = (typeof urls === 'string' ? urls.split(',') : urls).map((text) => text.trim()).filter(Boolean)
  if (texts.length === 0)
    throw new Error('the Redis URL is empty; expected redis://host:port, several for a Cluster')
  return texts.map((text, index) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') {
      // The text itself may hold a password.
      throw new Error(`Redis URL number ${index + 1} is not redis://host:port or rediss://host:port`)
    }
    return url
  })
}

/**
 * Connects to one Redis, or to a Cluster when several nodes are given. It resolves after at most two seconds even
 * when Redis is unavailable: it keeps reconnecting, and commands fail at once until then. Changes of state are logged.
 * The caller ends it with `redis.disconnect()`.
 *
 * @example const redis = await connectRedis(config.redisUrl, log)
 */
export const connectRedis = async (
  urls: string | readonly string[],
  log: Logger,
): Promise<RedisConnection> => {
  instrument('ioredis', Redis)
  const parsed = parseRedisUrls(urls)
  const [first, ...others] = parsed
  const redis =
    others.length === 0 && first !== undefined ? new Redis(first.href, PROMPT) : connectCluster(parsed)
  logChanges(redis, parsed, log)
  observeRedis(redis, String(log.bindings()['service']))
  await firstConnection(redis)
  return redis
}

const connectCluster = (nodes: readonly URL[]): Cluster => {
  const credentials = nodes.find((url) => url.password !== '')
  return new Cluster(
    nodes.map((url) => ({ host: url.hostname, port: Number(url.port || 6379) })),
    {
      enableOfflineQueue: false,
      clusterRetryStrategy: PROMPT.retryStrategy,
      redisOptions: {
        connectTimeout: PROMPT.connectTimeout,
        commandTimeout: PROMPT.commandTimeout,
        socketTimeout: PROMPT.socketTimeout,
        ...(credentials?.username ? { username: decodeURIComponent(credentials.username) } : {}),
        ...(credentials ? { password: decodeURIComponent(credentials.password) } : {}),
        ...(nodes.some((url) => url.protocol === 'rediss:') ? { tls: {} } : {}),
      },
    },
  )
}

/** One line when it goes, one when it comes back; ioredis itself repeats an error with every attempt. */
const logChanges = (redis: RedisConnection, nodes: readonly URL[], log: Logger): void => {
  const hosts = nodes.map((url) => url.host)
  let isUnavailable = false
  const leave = (error?: unknown): void => {
    if (!isUnavailable) log.warn({ hosts, err: error }, 'Redis is unavailable; going on without it')
    isUnavailable = true
  }
  redis.on('error', leave) // also keeps Node from ending the process over it
  redis.on('reconnecting', () => leave())
  redis.on('ready', () => {
    log.info({ hosts }, isUnavailable ? 'Redis is back' : 'Redis is connected')
    isUnavailable = false
  })
}

const firstConnection = (redis: RedisConnection): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      redis.off('ready', finish).off('error', finish)
      resolve()
    }
    const timer = setTimeout(finish, FIRST_CONNECTION_MS)
    redis.once('ready', finish).once('error', finish)
  })
