/** A Redis Cluster of one node: all 16384 slots, so that clients and scripts meet cluster rules. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from '@merx/local-postgres/free-port'
import { Redis } from 'ioredis'
import { startRedisServer } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'

const ASKED_MAX = 500
const ASKED_EVERY_MS = 20

/** Starts it in a folder of its own, removed by `stop()`. A new cluster takes about two seconds to accept writes. */
export const startRedisCluster = async (): Promise<RedisServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'merx-cluster-'))
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1', // a lone node learns its own address from nobody
    'cluster-port': String(await findFreePort()),
  }
  const server = await startRedisServer({ folder, settings })
  const stop = async (): Promise<void> => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const node = new Redis(server.url)
  try {
    await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await untilUp(node)
  } catch (error) {
    await stop()
    throw error
  } finally {
    node.disconnect()
  }
  return { ...server, stop }
}

const untilUp = async (node: Redis): Promise<void> => {
  for (let asked = 0; asked < ASKED_MAX; asked += 1) {
    if ((await node.cluster('INFO')).includes('cluster_state:ok')) return
    await setTimeout(ASKED_EVERY_MS)
  }
  throw new Error(`the cluster did not come up within ${(ASKED_MAX * ASKED_EVERY_MS) / 1000} seconds`)
}
