/** One token for identical requests, on real PostgreSQL and Redis, with two replicas. */
import { createRedisKeyValue } from '@merx/key-value/redis-key-value'
import { freshRedis, type FreshRedis } from '@merx/testing/fresh-redis'
import { inProcessClient, type InProcessClient } from '@merx/testing/in-process-client'
import { clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let redis: FreshRedis
let system: TestSystem
let replicas: InProcessClient[]

beforeAll(async () => {
  redis = await freshRedis()
  system = await startTestSystem({
    name: 'reuse',
    keyValue: () => createRedisKeyValue({ redis: redis.client, prefix: '' }),
  })
  replicas = [system.api, inProcessClient((await system.another()).app)]
})
afterAll(async () => {
  await system.close()
  await redis.drop()
})

const LIFETIME = 7_200

interface Answer {
  access_token: string
  expires_in: number
  created_at: number
}

const ask = async (index: number, scope?: string): Promise<Answer> => {
  const api = replicas[index % replicas.length]
  if (api === undefined) throw new Error('no replica')
  const body = { grant_type: 'client_credentials', ...clientOf(system.credentials.integration), scope }
  const response = await api.post('/oauth/token', { body })
  expect(response.status).toBe(200)
  return response.body as Answer
}

const askTogether = (count: number, scope?: string) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index, scope)))

const distinct = (answers: Answer[]) => [...new Set(answers.map(({ access_token: token }) => token))]

describe('reuse across replicas', () => {
  it('gives 1000 simultaneous identical requests one token', async () => {
    expect(distinct(await askTogether(1_000))).toHaveLength(1)
  })

  it('gives it with the same created_at and what is left of expires_in, until exactly 900 s are left', async () => {
    const first = await ask(0, 'market:code:usa')
    system.clock.advance(100)
    expect(await ask(1, 'market:code:usa')).toEqual({ ...first, expires_in: LIFETIME - 100 })
    system.clock.advance(LIFETIME - 100 - 901)
    expect(await ask(0, 'market:code:usa')).toEqual({ ...first, expires_in: 901 })
    system.clock.advance(1)
    const second = await ask(1, 'market:code:usa')
    expect(second.access_token).not.toBe(first.access_token)
    expect(second).toMatchObject({ expires_in: LIFETIME, created_at: first.created_at + LIFETIME - 900 })
    expect(await ask(0, 'market:code:usa')).toEqual(second)
  })

  it('gives 200 simultaneous requests at the boundary one new token', async () => {
    const first = await ask(0, 'market:code:europe')
    system.clock.advance(LIFETIME - 900)
    const [second, ...more] = distinct(await askTogether(200, 'market:code:europe'))
    expect(more).toEqual([])
    expect(second).not.toBe(first.access_token)
  })

  it('never gives a revoked token again, on no replica', async () => {
    const { access_token: token } = await ask(0)
    const body = { ...clientOf(system.credentials.integration), token }
    expect((await system.api.post('/oauth/revoke', { body })).status).toBe(200)
    const after = distinct(await askTogether(50))
    expect(after).toHaveLength(1)
    expect(after).not.toContain(token)
  })

  it('issues new tokens after FLUSHALL, never one that was revoked before', async () => {
    const { access_token: revoked } = await ask(0)
    await system.api.post('/oauth/revoke', {
      body: { ...clientOf(system.credentials.integration), token: revoked },
    })
    const { access_token: before } = await ask(1)
    const keys = await redis.client.keys(`${redis.prefix}*`)
    await redis.client.unlink(...keys.map((key) => key.slice(redis.prefix.length)))
    system.clock.advance(1) // a token is cached for less than a second
    const after = distinct(await askTogether(50))
    expect(after).toHaveLength(1)
    expect([revoked, before]).not.toContain(after[0])
  })
})
