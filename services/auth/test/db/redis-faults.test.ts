/**
 * Redis flushed, slow, silent and killed while two replicas are under load. Hot state may be lost, nothing else: no
 * revoked token gets in, no refresh token is lost, no valid token is refused, and tokens are issued all the while.
 */
import { connectRedis } from '@merx/key-value/connect-redis'
import { systemClock } from '@merx/telemetry/clock'
import { startDelayProxy, type DelayProxy } from '@merx/testing/delay-proxy'
import { eventually } from '@merx/testing/eventually'
import { startRedisServer, type RedisServer } from '@merx/testing/redis-server'
import { silentLogger } from '@merx/testing/silent-logger'
import { assertionOf, clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { openFollower, type Follower } from '../support/open-follower.ts'

let redis: RedisServer
let proxy: DelayProxy
let system: TestSystem
let replicas: Follower[]
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  redis = await startRedisServer()
  closers.push(() => redis.stop())
  proxy = await startDelayProxy(redis.port)
  closers.push(() => proxy.close())
  system = await startTestSystem({
    name: 'redis_faults',
    keyValue: 'own',
    env: { REDIS_URL: `redis://127.0.0.1:${proxy.port}` },
  })
  closers.push(() => system.close())
  replicas = [await openFollower(system, systemClock), await openFollower(system, systemClock)]
  closers.push(...replicas.map(({ close }) => close))
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** What went wrong, in words; empty at the end. */
const faults: string[] = []
const phase = { name: 'before' }
const done: Record<string, number> = {}
const revoked = new Set<string>()
const report = (fault: string): void => {
  faults.push(`${phase.name}: ${fault}`)
}

const replica = (number: number): Follower => {
  const found = replicas[number % replicas.length]
  if (found === undefined) throw new Error('no replica')
  return found
}

interface Answer {
  readonly access_token: string
  readonly refresh_token?: string
}

/** Undefined, and a fault, unless a token was issued. */
const issue = async ({ api }: Follower, body: Record<string, unknown>): Promise<Answer | undefined> => {
  const response = await api.post('/oauth/token', { body })
  const answer = response.body as Answer
  if (response.status !== 200) {
    report(`${String(body['grant_type'])} was answered with ${response.status} ${response.text}`)
    return undefined
  }
  if (revoked.has(answer.access_token)) report(`${String(body['grant_type'])} gave a revoked token`)
  done[phase.name] = (done[phase.name] ?? 0) + 1
  return answer
}

const isAccepted = ({ verifier }: Follower, token: string): Promise<boolean> =>
  verifier.verify(token).then(
    () => true,
    () => false,
  )

const integration = () => ({ grant_type: 'client_credentials', ...clientOf(system.credentials.integration) })

const bearer = (custom: object) => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ...clientOf(system.credentials.webapp),
  assertion: assertionOf({ custom_claim: custom }),
})

const publicClient = () => ({ client_id: system.credentials.salesChannel.clientId })

/** Asks for the same token again and again; every token ever given stays good. */
const reuse = async (round: number, kept: string[]): Promise<void> => {
  const answer = await issue(replica(round), integration())
  if (answer !== undefined && !kept.includes(answer.access_token)) kept.push(answer.access_token)
  for (const token of kept)
    if (!(await isAccepted(replica(round + 1), token))) report('a valid token was refused')
}

/** One sign-in whose refresh token is exchanged, on this replica and the other in turn, to the end. */
const refresh = async (round: number, chain: { token?: string | undefined }): Promise<void> => {
  const body =
    chain.token === undefined
      ? {
          grant_type: 'password',
          ...publicClient(),
          username: 'ann@example.com',
          password: 'correct horse',
          scope: 'market:code:europe',
        }
      : { grant_type: 'refresh_token', ...publicClient(), refresh_token: chain.token }
  const answer = await issue(replica(round), body)
  if (answer === undefined) return
  chain.token = answer.refresh_token
  if (!(await isAccepted(replica(round), answer.access_token))) report('a refreshed token was refused')
}

/** Revokes a token on one replica; no service takes it any more, and no replica gives it again. */
const revoke = async (round: number, worker: number): Promise<void> => {
  const body = bearer({ worker, round })
  const token = (await issue(replica(round), body))?.access_token
  if (token === undefined) return
  const { status } = await replica(round).api.post('/oauth/revoke', {
    body: { ...clientOf(system.credentials.webapp), token },
  })
  if (status !== 200) return report(`a revocation was answered with ${status}`)
  revoked.add(token)
  for (const each of replicas) await eventually(async () => !(await isAccepted(each, token)))
  for (const each of replicas) {
    await issue(each, body) // says so when it gives the revoked token
    if (await isAccepted(each, token)) report('a revoked token came back')
  }
}

/** Until so many tokens were issued in this phase. */
const untilIssued = async (name: string, count: number): Promise<void> => {
  phase.name = name
  await eventually(() => (done[name] ?? 0) >= count)
}

const TOKENS = 60
/** Seven phases of up to 20 seconds each (untilIssued), should the machine be busy. */
const TIMEOUT_MS = 150_000

const breakRedis = async (): Promise<void> => {
  await untilIssued('healthy', TOKENS)
  const client = await connectRedis(redis.url, silentLogger)
  await client.flushall()
  client.disconnect()
  await untilIssued('flushed', TOKENS)
  proxy.delay(300)
  await untilIssued('slow', TOKENS)
  proxy.delay(Infinity)
  await untilIssued('silent', TOKENS)
  proxy.delay(0)
  proxy.cut()
  await untilIssued('back from silence', TOKENS)
  await redis.stop() // SIGKILL
  proxy.cut()
  await untilIssued('killed', TOKENS)
  redis = await startRedisServer({ port: redis.port })
  await untilIssued('back, empty', TOKENS)
}

describe('Redis flushed, slow, silent and killed under load', () => {
  it(
    'loses no refresh token, refuses no valid token, lets no revoked one in, and tokens are issued all the while',
    async () => {
      let isOver = false
      const work = async (step: (round: number) => Promise<void>): Promise<void> => {
        for (let round = 0; !isOver; round += 1) await step(round)
      }
      const workers = Array.from({ length: 4 }, (_, worker) => {
        const kept: string[] = []
        const chain = {}
        return [
          work((round) => reuse(round + worker, kept)),
          work((round) => refresh(round + worker, chain)),
          work((round) => revoke(round, worker)),
        ]
      }).flat()
      try {
        await breakRedis()
      } finally {
        isOver = true
        await Promise.all(workers)
      }
      expect(faults).toEqual([])
      expect(revoked.size).toBeGreaterThan(5)
      expect(Object.keys(done)).toHaveLength(7)
    },
    TIMEOUT_MS,
  )
})
