/** Whether Redis is connected, as the client knows it; nothing is sent for it. */
import { observe } from '@merx/telemetry/metrics'
import type { Cluster, Redis } from 'ioredis'

export const observeRedis = (redis: Redis | Cluster, service: string): void => {
  observe(service, {
    name: 'merx_redis_up',
    description: 'Whether Redis answers, 0 or 1; without it each process goes on with its own state.',
    read: () => Number(redis.status === 'ready'),
  })
}
