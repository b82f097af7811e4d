import { areMetricsOn, metricsOf } from '@merx/telemetry/metrics'
import type { Pool } from 'pg'

/** How many connections of a service's pool there are, by what they do. Read from the pool at each scrape. */
export const definePoolMetrics = (pool: Pool, service: string, connectionsMax: number): void => {
  if (!areMetricsOn()) return
  const metrics = metricsOf(service)
  metrics.gauge({
    name: 'merx_db_connections',
    help: 'Connections to PostgreSQL by state, and callers waiting for one.',
    labels: ['state'],
    read: () => [
      [['used'], pool.totalCount - pool.idleCount],
      [['idle'], pool.idleCount],
      [['waiting'], pool.waitingCount],
    ],
  })
  metrics.gauge({
    name: 'merx_db_connections_limit',
    help: 'Most connections to PostgreSQL this process opens.',
    read: () => connectionsMax,
  })
}
