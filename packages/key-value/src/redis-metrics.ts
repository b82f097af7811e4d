/** A gauge of whether Redis is connected, by the state of the client; it sends no command. */
import { observe } from '@merx/telemetry/metrics'
import type { Cluster, Redis } from 'ioredis'

export const observeRedis = (redis: Redis | Cluster, service: string): void => {
  observe(service, {
    name: 'merx_redis_up',
    description: 'Whether Redis answers, 0 or 1; without it each process goes on with its own state.',
    read: () => Number(redis.status === 'ready'),
  })
}
