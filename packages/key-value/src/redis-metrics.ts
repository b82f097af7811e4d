import { areMetricsOn, metricsOf } from '@merx/telemetry/metrics'
import type { Cluster, Redis } from 'ioredis'

/** Whether Redis is there, as the client knows it; nothing is sent for it. */
export const defineRedisMetrics = (redis: Redis | Cluster, service: string): void => {
  if (!areMetricsOn()) return
  metricsOf(service).gauge({
    name: 'merx_redis_up',
    help: 'Whether Redis answers, 0 or 1; without it each process goes on with its own state.',
    read: () => Number(redis.status === 'ready'),
  })
}
