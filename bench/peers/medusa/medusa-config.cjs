/**
 * Medusa's configuration as its deployment guide has it: a server and a worker apart (MEDUSA_WORKER_MODE), and the Redis
 * modules for caching, events, workflows and locks. Copied into the folder where Medusa is installed, and run there.
 */
const { defineConfig } = require('@medusajs/framework/utils')

const redisUrl = process.env.REDIS_URL
const kept = { age: 3600, count: 1000 }

module.exports = defineConfig({
  // The page of the back office is not measured, so it is not built.
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    redisUrl,
    workerMode: process.env.MEDUSA_WORKER_MODE,
    http: {
      storeCors: 'http://localhost:8000',
      adminCors: 'http://localhost:9000',
      authCors: 'http://localhost:9000',
      jwtSecret: 'a secret of a benchmark',
      cookieSecret: 'a secret of a benchmark',
    },
  },
  featureFlags: { caching: true },
  modules: [
    {
      resolve: '@medusajs/medusa/caching',
      options: {
        providers: [
          {
            resolve: '@medusajs/caching-redis',
            id: 'caching-redis',
            is_default: true,
            options: { redisUrl },
          },
        ],
      },
    },
    {
      resolve: '@medusajs/medusa/event-bus-redis',
      options: { redisUrl, jobOptions: { removeOnComplete: kept, removeOnFail: kept } },
    },
    { resolve: '@medusajs/medusa/workflow-engine-redis', options: { redis: { redisUrl } } },
    {
      resolve: '@medusajs/medusa/locking',
      options: {
        providers: [
          {
            resolve: '@medusajs/medusa/locking-redis',
            id: 'locking-redis',
            is_default: true,
            options: { redisUrl },
          },
        ],
      },
    },
  ],
})
