import { withSpan } from '@merx/telemetry/span'
import { recordSpans } from '@merx/testing/record-spans'
import { startRedisCluster } from '@merx/testing/redis-cluster'
import { startRedisServer } from '@merx/testing/redis-server'
import { silentLogger } from '@merx/testing/silent-logger'
import { connectRedis } from '../../src/connect-redis.ts'

const SERVERS = {
  'one server': async () => {
    const server = await startRedisServer()
    return { urls: [server.url], stop: () => server.stop() }
  },
  'a cluster': async () => {
    const cluster = await startRedisCluster()
    return { urls: [cluster.url, cluster.url], stop: () => cluster.stop() }
  },
} as const

describe.each(Object.entries(SERVERS))('the span of a Redis command to %s', (_name, start) => {
  it('is a child of the work that sent it, shows failures, and holds neither keys nor values', async () => {
    const recording = await recordSpans()
    const { urls, stop } = await start()
    const redis = await connectRedis(urls, silentLogger)
    try {
      await withSpan('work', {}, async () => {
        await redis.set('secret-key', 'hunter2')
        await expect(redis.incr('secret-key')).rejects.toThrow('not an integer')
      })
    } finally {
      redis.disconnect()
      await stop()
      await recording.stop()
    }
    const spans = await recording.stop()
    const work = spans.find(({ name }) => name === 'work')
    const below = spans.filter(({ parentSpanId }) => parentSpanId === work?.spanId)
    expect(below.map(({ name, kind, hasFailed }) => [name, kind, hasFailed])).toEqual([
      ['set', 3, false],
      ['incr', 3, true],
    ])
    expect(below[0]?.attributes).toMatchObject({
      'db.system.name': 'redis',
      'db.operation.name': 'set',
      'db.query.text': 'set',
    })
    expect(JSON.stringify(spans)).not.toMatch(/hunter2|secret-key/)
  })
})
