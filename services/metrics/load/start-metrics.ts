/** Metrics, its Redis and its recorded neighbours, each in a process of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTarget, type Target } from '@merx/load/target'
import { startTestServers } from '@merx/testing/test-servers'
import type { ServeMetricsInput } from './serve-metrics.ts'
import type { RecordedNeighboursFacts, RecordedNeighboursInput } from './serve-recorded-neighbours.ts'

export interface LoadedMetrics {
  readonly target: Target
  /** Of an integration that sees the whole shop. */
  readonly token: string
  readonly close: () => Promise<void>
}

/** Its store is filled from the feed before it serves. @throws Error saying what could not be started. */
export const startMetrics = async (shop: RecordedNeighboursInput): Promise<LoadedMetrics> => {
  await using opening = new AsyncDisposableStack()
  const servers = await startTestServers(['redis'])
  opening.defer(() => servers.stop())
  if (servers.redisUrl === undefined) throw new Error('Redis was started without telling where')
  const folder = await mkdtemp(join(tmpdir(), 'merx-metrics-load-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const neighbours = await startTarget<RecordedNeighboursFacts>({
    name: 'recorded neighbours',
    program: new URL('./serve-recorded-neighbours.ts', import.meta.url),
    input: shop,
  })
  opening.defer(() => neighbours.stop())
  const input: ServeMetricsInput = { neighboursUrl: neighbours.url, redisUrl: servers.redisUrl, folder }
  const program = new URL('./serve-metrics.ts', import.meta.url)
  const target = await startTarget({ name: 'merx metrics', program, input })
  opening.defer(() => target.stop())
  const opened = opening.move()
  return { target, token: neighbours.facts.token, close: () => opened.disposeAsync() }
}
