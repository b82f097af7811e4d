/**
 * Makes the secrets of the compose system once, in the volume /secrets/all, and gives each part its own: a file per
 * variable in /secrets/<part>. Run at every start; what exists stays. Put files of your own into /secrets/all to
 * choose them.
 */
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const ALL = '/secrets/all'
const NAMES = [
  'service_key',
  'id_secret',
  'key_encryption_secret',
  'postgres_password',
  'postgres_auth_password',
  'postgres_core_password',
  'clickhouse_password',
  'redis_password',
]

const write = (file, value, mode) => {
  writeFileSync(`${file}.new`, `${value}\n`, { mode })
  renameSync(`${file}.new`, file)
}

const secret = (name) => {
  const file = `${ALL}/${name}`
  if (!existsSync(file)) write(file, randomBytes(32).toString('base64url'), 0o600)
  return [name, readFileSync(file, 'utf8').trim()]
}

mkdirSync(ALL, { recursive: true, mode: 0o700 })
const all = Object.fromEntries(NAMES.map(secret))

const databaseUrl = (part) =>
  `postgresql://merx_${part}:${all[`postgres_${part}_password`]}@postgres:5432/merx_${part}`
/** Several nodes are a Redis Cluster. */
const redisNodes = (process.env.REDIS_NODES || 'redis').split(',')
const redisUrl = redisNodes.map((node) => `redis://:${all.redis_password}@${node}:6379`).join(',')
const redisConf = [
  `requirepass ${all.redis_password}`,
  ...(redisNodes.length > 1 ? ['cluster-enabled yes'] : []),
]
const clickhouseUrl = `http://merx:${all.clickhouse_password}@clickhouse:8123/merx`

const parts = {
  auth: {
    service_key: all.service_key,
    key_encryption_secret: all.key_encryption_secret,
    database_url: databaseUrl('auth'),
    redis_url: redisUrl,
  },
  core: {
    service_key: all.service_key,
    id_secret: all.id_secret,
    database_url: databaseUrl('core'),
    redis_url: redisUrl,
  },
  metrics: { service_key: all.service_key, clickhouse_url: clickhouseUrl, redis_url: redisUrl },
  console: { redis_url: redisUrl },
  // Read by redis-server; a password in its arguments would be visible to the host.
  redis: { 'redis.conf': redisConf.join('\n'), password: all.redis_password },
  postgres: {
    password: all.postgres_password,
    auth_password: all.postgres_auth_password,
    core_password: all.postgres_core_password,
  },
  clickhouse: { password: all.clickhouse_password },
  // The demo loader takes the keys of this system for those of its own data folder.
  demo: {
    'secrets.json': JSON.stringify({
      service_key: all.service_key,
      postgres_password: all.postgres_password,
      id_secret: all.id_secret,
    }),
    key_encryption_secret: all.key_encryption_secret,
    auth_database_url: databaseUrl('auth'),
    core_database_url: databaseUrl('core'),
    clickhouse_url: clickhouseUrl,
    redis_url: redisUrl,
  },
}

// Each volume is mounted only into its part, whose account differs from image to image.
for (const [part, files] of Object.entries(parts)) {
  for (const [name, value] of Object.entries(files)) write(`/secrets/${part}/${name}`, value, 0o444)
}

// The account of the demo loader (node) keeps its files there, too.
chownSync('/secrets/demo', 1000, 1000)
