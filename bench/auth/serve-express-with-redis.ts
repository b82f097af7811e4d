/**
 * What a token endpoint cannot leave out, in Express and nothing else: the JSON body is read, and one command goes to
 * Redis, which a limit that replicas share costs at the least.
 */
import { runAsTarget } from '@merx/load/run-as-target'
import { serveApp } from '@merx/load/serve-app'
import express from 'express'
import { Redis } from 'ioredis'

export interface ServeExpressWithRedisInput {
  readonly redisUrl: string
  readonly answer: unknown
}

runAsTarget(async ({ redisUrl, answer }: ServeExpressWithRedisInput) => {
  const redis = new Redis(redisUrl)
  const app = await serveApp((routes) =>
    routes.post('/oauth/token', express.json(), async (req, res) => {
      await redis.incr(`count:${req.ip ?? ''}`)
      res.json(answer)
    }),
  )
  return {
    facts: {},
    url: app.url,
    close: async () => {
      await app.close()
      redis.disconnect()
    },
  }
})
