/** A real Redis (or Valkey) from PATH. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { findRedisProgram, startPrivateRedis } from '../../src/private-redis.ts'

const program = findRedisProgram()
const withRedis = program === undefined ? describe.skip : describe

withRedis('the private Redis', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx redis-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('answers with its password only, and leaves nothing on disk', async () => {
    const redis = await startPrivateRedis(program ?? '', folder)
    const client = new Redis(redis.url)
    await expect(client.set('a', '1')).resolves.toBe('OK')
    const otherCaller = new Redis(redis.url.replace(/:[^:@/]+@/, ':wrong@'), { retryStrategy: () => null })
    otherCaller.on('error', () => undefined) // each failed attempt is also an event
    await expect(otherCaller.get('a')).rejects.toThrow()
    await client.quit()
    otherCaller.disconnect()
    await redis.stop()
    await redis.stop()
    expect(readdirSync(folder)).toEqual([])
  })

  it('says so when the server ends by itself', async () => {
    const redis = await startPrivateRedis(program ?? '', folder)
    const client = new Redis(redis.url, { retryStrategy: () => null })
    client.on('error', () => undefined) // the connection is cut by the shutdown
    await client.shutdown('NOSAVE').catch(() => undefined)
    await redis.ended
  })
})

describe('the search for a Redis program', () => {
  it('finds nothing on an empty path', () => {
    expect(findRedisProgram('')).toBeUndefined()
    expect(findRedisProgram('/nonexistent')).toBeUndefined()
  })
})
