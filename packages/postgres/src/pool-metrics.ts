/** Connections of a service's pool, read from the pool at each scrape. */
import { observe } from '@merx/telemetry/metrics'
import type { Pool } from 'pg'

export const observePool = (pool: Pool, service: string, connectionsMax: number): void => {
  observe(service, {
    name: 'merx_db_connections',
    description: 'Connections to PostgreSQL by state, and callers waiting for one.',
    read: () => [
      [{ state: 'used' }, pool.totalCount - pool.idleCount],
      [{ state: 'idle' }, pool.idleCount],
      [{ state: 'waiting' }, pool.waitingCount],
    ],
  })
  observe(service, {
    name: 'merx_db_connections_limit',
    description: 'Most connections to PostgreSQL this process opens.',
    read: () => connectionsMax,
  })
}
