/**
 * The floor of a fresh token: an Express application that signs for each request with jose, answers the bytes of a
 * recorded answer, and no more. With a Redis it also looks for a token to hand out again and stores the new one: what
 * replicas that share tokens cannot leave out.
 */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { RecordedAnswer } from '@merx/load/bare-express'
import { runAsTarget } from '@merx/load/run-as-target'
import { sendRecorded } from '@merx/load/send-recorded'
import { serveApp } from '@merx/load/serve-app'
import { Redis } from 'ioredis'
import { CompactSign } from 'jose'

export interface ServeSignerInput {
  readonly signingKeyBits: number
  /** The payload of a token, as JSON. */
  readonly payload: string
  readonly answer: RecordedAnswer
  readonly redisUrl?: string
}

export interface ServeSignerFacts {
  /** One signature after the other, nothing else, on one thread. */
  readonly signingMs: number
}

const TIMED_SIGNATURES = 100

const timeSigning = (data: Buffer, key: KeyObject): number => {
  const startedAt = performance.now()
  for (let count = 0; count < TIMED_SIGNATURES; count += 1) sign('sha512', data, key)
  return (performance.now() - startedAt) / TIMED_SIGNATURES
}

const KEPT_SECONDS = 60

/** One command before each signature, and one after it, with the body in place of the token. */
const createKeeping = (url: string, body: string) => {
  const redis = new Redis(url)
  let kept = 0
  return {
    around: async (sign: () => Promise<unknown>): Promise<void> => {
      const key = `signed:${++kept}`
      await redis.get(key)
      await sign()
      await redis.set(key, body, 'EX', KEPT_SECONDS, 'NX')
    },
    close: () => redis.disconnect(),
  }
}

const withoutKeeping: ReturnType<typeof createKeeping> = {
  around: async (sign) => {
    await sign()
  },
  close: () => undefined,
}

runAsTarget(async ({ signingKeyBits, payload, answer, redisUrl }: ServeSignerInput) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: signingKeyBits })
  const data = Buffer.from(payload)
  timeSigning(data, privateKey) // warm
  const facts: ServeSignerFacts = { signingMs: timeSigning(data, privateKey) }
  const keeping = redisUrl === undefined ? withoutKeeping : createKeeping(redisUrl, answer.body)
  const signToken = () =>
    new CompactSign(data).setProtectedHeader({ alg: 'RS512', typ: 'JWT' }).sign(privateKey)
  const app = await serveApp((routes) =>
    routes.post('/oauth/token', async (_req, res) => {
      await keeping.around(signToken)
      sendRecorded(res, answer)
    }),
  )
  return {
    facts,
    url: app.url,
    close: async () => {
      await app.close()
      keeping.close()
    },
  }
})
