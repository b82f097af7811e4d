/**
 * Vendure's configuration as its starter and its guide to production have it: the default search, sessions cached and
 * jobs queued in Redis, the hardening plugin, and a worker apart. Copied into the folder where Vendure is installed.
 */
const {
  DefaultSchedulerPlugin,
  DefaultSearchPlugin,
  RedisCachePlugin,
  UuidIdStrategy,
  dummyPaymentHandler,
} = require('@vendure/core')
const { HardenPlugin } = require('@vendure/harden-plugin')
const { BullMQJobQueuePlugin } = require('@vendure/job-queue-plugin/package/bullmq')

const redis = new URL(process.env.REDIS_URL)
const connection = { host: redis.hostname, port: Number(redis.port), db: Number(redis.pathname.slice(1)) }

/** `synchronize` makes the tables of an empty database. */
exports.configure = ({ synchronize = false } = {}) => ({
  apiOptions: {
    hostname: '127.0.0.1',
    port: Number(process.env.PORT),
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
    cors: { origin: [], credentials: true },
  },
  authOptions: {
    tokenMethod: ['bearer', 'cookie'],
    superadminCredentials: { identifier: 'admin', password: 'a secret of a benchmark' },
    cookieOptions: { secret: 'a secret of a benchmark' },
  },
  entityOptions: { entityIdStrategy: new UuidIdStrategy() },
  dbConnectionOptions: {
    type: 'postgres',
    url: process.env.DATABASE_URL,
    synchronize,
    migrations: [],
    logging: false,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [
    DefaultSchedulerPlugin.init(),
    DefaultSearchPlugin.init({ bufferUpdates: false, indexStockStatus: true }),
    RedisCachePlugin.init({ redisOptions: connection }),
    BullMQJobQueuePlugin.init({ connection: { ...connection, maxRetriesPerRequest: null } }),
    HardenPlugin.init({ maxQueryComplexity: 1000, apiMode: 'prod' }),
  ],
})
